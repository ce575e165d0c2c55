import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCallMessage, startJoinedCall } from '../../testing/steps/call-chat.ts';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { findMessages } from './message-search.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('search in all chats', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '10000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const search = async (who: Persona, q: string, more = '&all_chats=true') => {
    const { status, body } = await world.call(`GET /messages/search?q=${encodeURIComponent(q)}${more}`, {
      token: who.token,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const idsOf = async (who: Persona, q: string, more?: string): Promise<string[]> =>
    (await search(who, q, more)).items.map(({ id }: { id: string }) => id);

  it('sorts only identifiers of matches, however many and long they are', slow, async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, bob);
    const { db } = world.app.services;
    // In portions, each of which is within the time limit of a statement on a busy machine as well.
    for (let from = 1; from <= 10_000; from += 1000)
      await db.native.query(
        `insert into chat_messages (id, group_id, author_id, kind, body, created_at)
         select 'chat_' || lpad(n::text, 26, '0'), $1, $2, 'text', 'lighthouse ' || repeat('and more words ', 60), now()
         from generate_series($3::int, $3::int + 999) n`,
        [group.id, bob.id, from],
      );
    await db.native.query('analyze chat_messages');
    type Plan = { 'Sort Space Used'?: number; Plans?: Plan[] };
    let max_kb = 0;
    const visit = ({ 'Sort Space Used': kb = 0, Plans = [] }: Plan) => {
      max_kb = Math.max(max_kb, kb);
      for (const one of Plans) visit(one);
    };
    const explaining = {
      ...db,
      many: async (statement: Sql) => {
        const [row] = await db.many<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          sql`explain (analyze, format json) ${statement}`,
        );
        visit(row?.['QUERY PLAN'][0]?.Plan ?? {});
        return db.many(statement);
      },
    } as Queryable;
    const found = await findMessages(explaining, alice.id, { q: 'lighthouse', limit: 3 });
    const last = [10_000, 9_999, 9_998, 9_997].map((at) => `chat_${String(at).padStart(26, '0')}`);
    expect(found.map(({ id }) => id)).toEqual(last);
    expect(max_kb).toBeLessThan(2_000);
  });

  it('finds messages of threads, groups, calls and widgets, newest first, with their chats', slow, async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const group = await createGroup(world, alice, 'Band');
    const widget = await createWidget(world, alice, 'shop', { title: 'Shop' });
    const gina = await becomeGuest(world, widget);
    const call = await startJoinedCall(world, alice, bob);
    const expected = [
      await sendMessage(world, thread, bob, 'Lighthouse one'),
      await sendGroupMessage(world, group, alice, 'Lighthouse two'),
      await sendCallMessage(world, call, bob, 'Lighthouse three'),
      await sendWidgetMessage(world, widget, { token: gina.token }, 'Lighthouse four'),
      await sendWidgetMessage(world, widget, alice, 'Lighthouse five, to all'),
    ].toReversed();
    const { items, has_more } = await search(alice, 'lightHOUSE');
    expect([items.map(({ id }: { id: string }) => id), has_more]).toEqual([expected.map(({ id }) => id), false]);
    const empty = { thread: null, group: null, call: null, widget: null };
    const none = { direct_message: null, group_message: null, call_message: null, widget_message: null };
    const shop = { id: widget.id, title: 'Shop', tag_name: 'shop' };
    expect(items.slice(0, 3)).toMatchObject([
      { ...empty, ...none, widget: { ...shop, guest: null }, widget_message: { body: 'Lighthouse five, to all' } },
      { ...empty, ...none, widget: { ...shop, guest: gina.guest }, widget_message: { body: 'Lighthouse four' } },
      {
        ...empty,
        ...none,
        call: { conference_id: call.conference_id, join_code: call.join_code, names: ['bob'] },
        call_message: { body: 'Lighthouse three', author: { user: { username: 'bob' } } },
      },
    ]);
    const [listed] = await itemsOf(world, `/calls/${call.join_code}/chat`, alice);
    expect(items[2].call_message).toEqual(listed);
    // Without all_chats, as older clients request it, calls and widgets are left out.
    expect(await idsOf(alice, 'lighthouse', '')).toEqual(expected.slice(3).map(({ id }) => id));
    expect(await idsOf(alice, 'lighthouse', '&limit=2&offset=1&all_chats=true')).toEqual([
      expected[1]?.id,
      expected[2]?.id,
    ]);
    expect(await idsOf(alice, 'lighthouse', `&all_chats=true&before_id=${expected[1]?.id}`)).toEqual(
      expected.slice(2).map(({ id }) => id),
    );
    expect(await idsOf(alice, 'lighthouse', `&conference_id=${call.conference_id}`)).toEqual([expected[2]?.id]);
    expect(await idsOf(alice, 'lighthouse', `&widget_id=${widget.id}&guest_id=${gina.guest.id}`)).toEqual([
      expected[0]?.id,
      expected[1]?.id,
    ]);
    const other = await becomeGuest(world, widget, 'Greta');
    expect(await idsOf(alice, 'lighthouse', `&widget_id=${widget.id}&guest_id=${other.guest.id}`)).toEqual([
      expected[0]?.id,
    ]);
    expect(await idsOf(bob, 'lighthouse')).toEqual([expected[2]?.id, expected[4]?.id]);
    expect(await idsOf(bob, 'lighthouse', `&widget_id=${widget.id}`)).toEqual([]);
    for (const [more, field] of [
      [`&widget_id=${widget.id}&conference_id=${call.conference_id}`, 'conference_id'],
      [`&guest_id=${gina.guest.id}`, 'guest_id'],
    ] as const) {
      const { status, body } = await world.call(`GET /messages/search?q=ab${more}`, { token: alice.token });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    }
  });

  it('finds the messages of a call that its transcript shows, and none across a block', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    await requestGrants(world, call.join_code, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    const early = await sendCallMessage(world, call, bob, 'Gondola');
    await world.clock.advance(2);
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    const late = await sendCallMessage(world, call, alice, 'Gondolas');
    const gone = await sendCallMessage(world, call, bob, 'Gondola, deleted');
    await world.call(`DELETE /calls/${call.join_code}/chat/${gone.id}`, { token: bob.token });
    await world.call(`PATCH /calls/${call.join_code}/chat/${late.id}`, {
      token: alice.token,
      body: { body: 'Gondoliers' },
    });
    await world.call('DELETE /calls/active', { token: alice.token });
    const shown = async (who: Persona) =>
      (await itemsOf(world, `/call-history/${call.conference_id}/chat`, who))
        .filter(({ deleted_at }: { deleted_at: string | null }) => deleted_at === null)
        .map(({ id }: { id: string }) => id);
    for (const [who, ids] of [
      [alice, [late.id, early.id]],
      [bob, [late.id, early.id]],
      [carol, [late.id]],
    ] as const) {
      expect(await idsOf(who, 'gondol')).toEqual(ids);
      expect(await shown(who)).toEqual(ids);
    }
    await block(world, carol, bob);
    await block(world, bob, alice);
    expect([await idsOf(alice, 'gondol'), await idsOf(bob, 'gondol')]).toEqual([[late.id], []]);
    expect((await search(alice, 'gondol')).items[0].call.names).toEqual(['carol']);
  });

  it('folds words to their letters, indexes each once per chat, and cuts it after 64 characters', async () => {
    const { native } = world.app.services.db;
    const wordsOf = async (body: string) =>
      (await native.query(`select folded_words($1) as words, words_in('one', folded_words($1))::text as kept`, [body]))
        .rows[0];
    const long = 'a'.repeat(70);
    expect(await wordsOf(`  Crème brûlée -- crème; 東京 ${long}b!`)).toEqual({
      words: ['creme', 'brulee', 'creme', '東', '京', 'a'.repeat(64)],
      kept: `'one:${'a'.repeat(64)}' 'one:brulee' 'one:creme' 'one:京' 'one:東'`,
    });
    for (const blank of ['', ' .. ']) expect([await wordsOf(blank), blank]).toEqual([{ words: [], kept: '' }, blank]);
  });

  it('finds messages of a widget for the members of its group, until the widget is deleted', slow, async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Helpers');
    await joinGroup(world, group, alice, bob);
    const widget = await createWidget(world, alice, 'shop', { group_id: group.id });
    const gina = await becomeGuest(world, widget);
    const question = await sendWidgetMessage(world, widget, { token: gina.token }, 'Zeppelin?');
    expect([await idsOf(alice, 'zeppelin'), await idsOf(bob, 'zeppelin'), await idsOf(carol, 'zeppelin')]).toEqual([
      [question.id],
      [question.id],
      [],
    ]);
    await block(world, alice, bob);
    expect(await idsOf(bob, 'zeppelin')).toEqual([]);
    await world.call(`DELETE /widgets/${widget.id}`, { token: alice.token });
    expect(await idsOf(alice, 'zeppelin')).toEqual([]);
  });

  it('opens each chat around a found message', slow, async () => {
    const { alice, bob } = people;
    const widget = await createWidget(world, alice, 'shop');
    const gina = await becomeGuest(world, widget);
    const call = await startJoinedCall(world, alice, bob);
    const expected: Record<'call' | 'widget', string[]> = { call: [], widget: [] };
    for (let at = 0; at < 6; at++) {
      expected.call.unshift((await sendCallMessage(world, call, bob, `Number ${at}`)).id);
      const who = at % 2 === 0 ? alice : { token: gina.token };
      expected.widget.unshift((await sendWidgetMessage(world, widget, who, `Number ${at}`)).id);
    }
    const { guest } = gina;
    for (const [path, ids] of [
      [`/calls/${call.join_code}/chat?`, expected.call],
      [`/call-history/${call.conference_id}/chat?`, expected.call],
      [`/widgets/${widget.id}/chat?`, expected.widget],
      [`/widgets/${widget.id}/chat?guest_id=${guest.id}&`, expected.widget],
    ] as const) {
      const read = async (query: string) =>
        (await itemsOf(world, `${path}${query}`, alice)).map(({ id }: { id: string }) => id);
      expect(await read(`around_id=${ids[3]}&limit=4`)).toEqual(ids.slice(1, 5));
      expect(await read(`after_id=${ids[3]}&limit=2`)).toEqual(ids.slice(1, 3));
      expect(await read(`before_id=${ids[3]}`)).toEqual(ids.slice(4));
    }
  });
});
