import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { seedOf } from '../../../testing/seed.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { seed, label } = seedOf(11);

describe('GET /messages/search', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '10000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const search = (who: Persona, q: string, more = '') =>
    world.call(`GET /messages/search?q=${encodeURIComponent(q)}${more}`, { token: who.token });
  const idsOf = async (who: Persona, q: string, more = '') => {
    const { status, body } = await search(who, q, more);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.items.map(({ id }: { id: string }) => id) as string[];
  };
  it('has a separate rate budget', async () => {
    const { headers } = await search(people.alice, 'anything');
    expect(headers['ratelimit-policy']).toBe('"message_search";q=1200000;w=60');
  });

  const unblock = (blocker: Persona, blocked: Persona) =>
    world.call(`DELETE /blocks/${blocked.id}`, { token: blocker.token });

  it('finds words and prefixes, regardless of case and accents, newest first, with the chat', slow, async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const group = await createGroup(world, alice, 'Harbour');
    await joinGroup(world, group, alice, bob);
    const first = await sendMessage(world, thread, alice, 'Crème brûlée at the PIER, of course');
    const second = await sendGroupMessage(world, group, bob, 'The creme de la creme. 東京タワー');
    const { body } = await search(alice, 'creme');
    expect(body).toMatchObject({
      items: [
        {
          id: second.id,
          thread: null,
          group: { id: group.id, name: 'Harbour' },
          direct_message: null,
          group_message: { id: second.id, body: 'The creme de la creme. 東京タワー' },
        },
        { id: first.id, thread: { id: thread.id, peer: { username: 'bob' } }, group: null, group_message: null },
      ],
      has_more: false,
    });
    const [listed] = await itemsOf(world, `/dm/threads/${thread.id}/chat`, alice);
    expect(body.items[1].direct_message).toEqual(listed);
    expect(await idsOf(bob, 'brulee PI')).toEqual([first.id]);
    expect(await idsOf(bob, 'crème', `&thread_id=${thread.id}`)).toEqual([first.id]);
    expect(await idsOf(bob, 'crème', `&group_id=${group.id}`)).toEqual([second.id]);
    expect(await idsOf(bob, '京タ')).toEqual([second.id]);
    for (const none of ['ier', 'brulee nowhere', '!!', "it's'", '#:x | y'])
      expect([none, await idsOf(bob, none)]).toEqual([none, []]);
    const page = (await search(alice, 'creme', '&limit=1')).body;
    expect([page.items.length, page.has_more]).toEqual([1, true]);
    expect(await idsOf(alice, 'creme', `&before_id=${page.items[0].id}`)).toEqual([first.id]);
    expect(await idsOf(carol, 'creme')).toEqual([]);
  });

  it('rejects queries that are too short, too long, or limited to two chats', async () => {
    const { alice } = people;
    for (const [q, more, field] of [
      ['a', '', 'q'],
      ['a'.repeat(101), '', 'q'],
      ['ab', `&thread_id=thr_${'0'.repeat(26)}&group_id=grp_${'0'.repeat(26)}`, 'thread_id'],
      ['ab', '&before_id=usr_1', 'before_id'],
    ] as const) {
      const { status, body } = await search(alice, q, more);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    }
    expect((await world.call('GET /messages/search?q=ab', {})).status).toBe(401);
  });

  it('searches the current text, and omits deleted, hidden and earlier messages', slow, async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'Zeppelin');
    const path = `/dm/threads/${thread.id}/chat/${message.id}`;
    await world.call(`PATCH ${path}`, { token: alice.token, body: { body: 'Balloon' } });
    expect([await idsOf(bob, 'zeppelin'), await idsOf(bob, 'balloon')]).toEqual([[], [message.id]]);
    await block(world, alice, bob);
    for (const who of [alice, bob]) expect(await idsOf(who, 'balloon')).toEqual([]);
    expect(await idsOf(bob, 'balloon', `&thread_id=${thread.id}`)).toEqual([]);
    await unblock(alice, bob);
    await world.call(`DELETE ${path}`, { token: alice.token });
    expect(await idsOf(bob, 'balloon')).toEqual([]);
    const group = await createGroup(world, alice, 'Late');
    const early = await sendGroupMessage(world, group, alice, 'Gondola');
    await joinGroup(world, group, alice, carol);
    const late = await sendGroupMessage(world, group, alice, 'Gondolas');
    expect([await idsOf(alice, 'gondola'), await idsOf(carol, 'gondola')]).toEqual([[late.id, early.id], [late.id]]);
    // A message request is found by both sides, and after it is declined only within its thread.
    const dave = await register(world, 'dave', 71);
    const request_thread = await openThread(world, dave, bob);
    const request_message = await sendMessage(world, request_thread, dave, 'Submarine');
    for (const who of [dave, bob]) expect(await idsOf(who, 'submarine')).toEqual([request_message.id]);
    await world.call(`POST /dm/threads/${request_thread.id}/decline`, { token: bob.token, body: {} });
    expect(await idsOf(bob, 'submarine')).toEqual([]);
    expect(await idsOf(bob, 'submarine', `&thread_id=${request_thread.id}`)).toEqual([request_message.id]);
  });

  const names = ['alice', 'bob', 'carol'] as const;
  const vocabulary = ['sea', 'Seal', 'sealion', 'Löwe', 'lowercase', 'low'];
  const acts = fc.array(
    fc.record({
      kind: fc.constantFrom('thread', 'thread', 'group', 'group', 'delete', 'edit', 'block'),
      who: fc.constantFrom(...names),
      with: fc.nat(),
      words: fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 15, maxLength: 30 },
  );

  const fold = (text: string) =>
    text
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter(Boolean);

  /**
   * Returns the messages in all chats that the user can list, newest first, in which every query word is a prefix of a word.
   */
  async function scan(who: Persona, q: string): Promise<string[]> {
    const chats = [
      ...(await itemsOf(world, '/dm/threads?limit=100', who)).map(({ id }: { id: string }) => `/dm/threads/${id}/chat`),
      ...(await itemsOf(world, '/groups?limit=100', who)).map(({ id }: { id: string }) => `/groups/${id}/chat`),
    ];
    const found: string[] = [];
    for (const path of chats)
      for (const { id, body } of await itemsOf(world, `${path}?limit=100`, who))
        if (fold(q).every((prefix) => fold(body as string).some((word) => word.startsWith(prefix)))) found.push(id);
    return found.sort((left, right) => (left.split('_')[1]! < right.split('_')[1]! ? 1 : -1));
  }

  it(`finds exactly what a scan of all readable messages finds (${label})`, slow, async () => {
    const groups = [
      await createGroup(world, people.alice, 'One'),
      await createGroup(world, people.bob, 'Two'),
    ] as const;
    await joinGroup(world, groups[0], people.alice, people.bob);
    await joinGroup(world, groups[0], people.alice, people.carol);
    await joinGroup(world, groups[1], people.bob, people.carol);
    const threads = [
      await openAcceptedThread(world, people.alice, people.bob),
      await openAcceptedThread(world, people.bob, people.carol),
      await openAcceptedThread(world, people.alice, people.carol),
    ];
    const chats = [
      ...threads.map(({ id }) => `/dm/threads/${id}/chat`),
      ...groups.map(({ id }) => `/groups/${id}/chat`),
    ];
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const written: { path: string; by: Persona }[] = [];
        for (const { kind, who, with: at, words } of list) {
          const by = people[who];
          const other = people[names[at % 3]!];
          const old = written[at % Math.max(1, written.length)];
          if (kind === 'block' && other !== by) await block(world, by, other);
          else if (kind === 'delete' && old) await world.call(`DELETE ${old.path}`, { token: old.by.token });
          else if (kind === 'edit' && old)
            await world.call(`PATCH ${old.path}`, { token: old.by.token, body: { body: words.join(' ') } });
          else {
            const kinds = chats.filter((path) => path.includes(kind === 'thread' ? '/dm/' : '/groups/'));
            const path = kinds[at % kinds.length]!;
            const { status, body } = await world.call(`POST ${path}`, {
              token: by.token,
              body: { body: words.join(' ') },
            });
            if (status === 201) written.push({ path: `${path}/${body.id}`, by });
          }
        }
        for (const name of names)
          for (const q of ['se', 'seal', 'low', 'lowe sea', 'sealion low'])
            expect([name, q, await idsOf(people[name], q, '&limit=100')]).toEqual([
              name,
              q,
              await scan(people[name], q),
            ]);
        for (const blocker of names) for (const blocked of names) await unblock(people[blocker], people[blocked]);
      }),
      { seed, numRuns: 4 },
    );
  });
});
