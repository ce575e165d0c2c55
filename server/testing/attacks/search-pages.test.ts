/** Searches in chats with very many messages: what they read, and that it is right. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMessages } from '../../domain/messages/message-search.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { createGroup, joinGroup } from '../steps/groups.ts';
import { startJoinedCall, type TestCall } from '../steps/call-chat.ts';
import { block } from '../steps/follows.ts';
import { becomeGuest, createWidget } from '../steps/widgets.ts';
import { countRead } from './count-read.ts';
import { findPersonas, type Personas } from '../world/personas.ts';
import { restoreBeforeEach } from '../world/restore-world.ts';
import { createWorld, type World } from '../world/world.ts';
import { randomFrom, seedOf } from '../../../testing/seed.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { seed, label } = seedOf(41);

type Written = { id: string; author_id: string; body: string; hidden_from: string[] };

describe('a search in a chat of very many messages', slow, () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  let call: TestCall;
  let widget: Awaited<ReturnType<typeof createWidget>>;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '10000' } });
    people = findPersonas();
    const { alice, bob, carol } = people;
    group = await createGroup(world, alice, 'Harbour');
    for (const one of [bob, carol]) await joinGroup(world, group, alice, one);
    call = await startJoinedCall(world, alice, bob, carol);
    widget = await createWidget(world, alice, 'shop', { group_id: group.id });
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  async function insert(table: 'call_messages' | 'chat_messages', place: object, messages: Written[]): Promise<void> {
    const { native } = world.app.services.db;
    const hides = table === 'chat_messages';
    const [column = '', value] = Object.entries(place)[0] ?? [];
    await native.query(
      `insert into ${table} (id, author_id, ${hides ? 'hidden_from, ' : ''} ${column}, kind, body, created_at)
       select id, author_id, ${hides ? 'array(select jsonb_array_elements_text(hidden_from)),' : ''} $2, 'text', body, now()
       from jsonb_to_recordset($1) m (id text, author_id text, body text, hidden_from jsonb)`,
      [JSON.stringify(messages), value],
    );
    await native.query(`analyze ${table}`);
  }

  /** Messages one after the other, the first of them a minute from now. */
  function write(count: number, message: (at: number) => Partial<Written> & { body: string }): Written[] {
    const start = firstIdAt('chat', new Date(world.clock.now().getTime() + 60_000)).slice(0, 20);
    return Array.from({ length: count }, (_none, at) => {
      const id = start + String(at).padStart(11, '0');
      return { id, author_id: people.alice.id, hidden_from: [], ...message(at) };
    });
  }

  const suspendCarol = () =>
    world.app.services.db.native.query('update users set suspended_at = now() where id = $1', [people.carol.id]);

  it('reads few of them, for words that are rare, everywhere, frequent once, or frequent but rarely together', async () => {
    const { bob } = people;
    const count = 12_000;
    const written = write(count, (at) => ({
      body: `quay ${at % 2 ? 'port' : 'starboard'} ${at === 5000 ? 'port anchor' : 'rope'} word${at % 400} ${at < 9000 ? 'early' : 'late'}`,
    }));
    await insert('chat_messages', { group_id: group.id }, written);
    const read = (q: string, more = {}) =>
      countRead(world.app.services.db, (db) => findMessages(db, bob.id, { q, group_id: group.id, ...more }));
    const counts = {
      rare: await read('anchor'),
      none: await read('lighthouse'),
      everywhere: await read('quay'),
      everywhere_older: await read('quay', { before_id: written[6000]?.id }),
      everywhere_offset: await read('quay', { offset: 300 }),
      together: await read('port starboard'),
      half: await read('port rope'),
      once: await read('early rope'),
      once_offset: await read('early', { offset: 300 }),
    };
    // At most the matches of one portion, and a page.
    for (const [name, reads] of Object.entries(counts))
      expect([name, reads, reads < 2500]).toEqual([name, reads, true]);
    for (const name of ['rare', 'none', 'together'] as const) expect([name, counts[name] < 20]).toEqual([name, true]);
  });

  it('reads none of people who are hidden', async () => {
    const { alice, bob, carol } = people;
    const count = 6000;
    const written = write(count, (at) => ({ body: 'quay', author_id: at < 10 ? alice.id : carol.id }));
    await insert('chat_messages', { group_id: group.id }, written);
    await insert('call_messages', { call_id: call.conference_id }, written);
    const in_widget = written.map((one, at) => ({ ...one, id: `chat_${String(at).padStart(26, '0')}` }));
    await insert('chat_messages', { widget_id: widget.id }, in_widget);
    await block(world, bob, carol);
    await suspendCarol();
    for (const place of [{ group_id: group.id }, { conference_id: call.conference_id }, { widget_id: widget.id }]) {
      let found: string[] = [];
      const reads = await countRead(world.app.services.db, async (db) => {
        found = (await findMessages(db, bob.id, { q: 'quay', limit: 20, ...place })).map(({ id }) => id);
      });
      expect([place, found.length]).toEqual([place, 10]);
      expect([place, reads, reads < 900]).toEqual([place, reads, true]);
    }
  });

  it('reads none of the other conversations of a widget', async () => {
    const { alice } = people;
    const [gina, greta] = [await becomeGuest(world, widget, 'Gina'), await becomeGuest(world, widget, 'Greta')];
    // Every second message is Gina's, and few of those have the word.
    const written = write(6000, (at) => ({ body: at % 2 && at > 9 ? 'rope' : 'quay' }));
    const idsOf = (which: (at: number) => boolean) => written.filter((_one, at) => which(at)).map(({ id }) => id);
    await insert('chat_messages', { widget_id: widget.id }, written);
    const { native } = world.app.services.db;
    const give = (guest_id: string | null, ids: string[]) =>
      native.query('update chat_messages set guest_id = $1 where id = any($2)', [guest_id, ids]);
    await give(
      gina.guest.id,
      idsOf((at) => at % 2 === 1),
    );
    await give(
      greta.guest.id,
      idsOf((at) => at % 2 === 0),
    );
    await give(
      null,
      idsOf((at) => at === 20),
    );
    await native.query('vacuum analyze chat_messages');
    let found: string[] = [];
    const query = { q: 'quay', widget_id: widget.id, guest_id: gina.guest.id };
    const reads = await countRead(world.app.services.db, async (db) => {
      found = (await findMessages(db, alice.id, query)).map(({ id }) => id);
    });
    expect(found).toEqual(idsOf((at) => at === 20 || (at < 10 && at % 2 === 1)).toReversed());
    expect([reads, reads < 100]).toEqual([reads, true]);
  });

  it('reads none from before one joined', async () => {
    const { alice, bob } = people;
    const quiet = await createGroup(world, alice, 'Quiet');
    const at_once = (count: number) => write(count, () => ({ body: 'quay' }));
    await insert('chat_messages', { group_id: quiet.id }, at_once(6000));
    const { native } = world.app.services.db;
    await native.query(`update chat_messages set created_at = $1`, [new Date(world.clock.now().getTime() + 60_000)]);
    await world.clock.advance(120);
    await joinGroup(world, quiet, alice, bob);
    await insert('chat_messages', { group_id: quiet.id }, at_once(3));
    await native.query(`update chat_messages set created_at = $1 where created_at < $1 and id > $2`, [
      new Date(world.clock.now().getTime() + 60_000),
      firstIdAt('chat', world.clock.now()),
    ]);
    let found = 0;
    const reads = await countRead(world.app.services.db, async (db) => {
      found = (await findMessages(db, bob.id, { q: 'quay', group_id: quiet.id })).length;
    });
    expect(found).toBe(3);
    expect(reads).toBeLessThan(2500);
  });

  it('begins at the first identifier of a time, as the service makes them', async () => {
    const { native } = world.app.services.db;
    for (const at of [new Date(0), world.clock.now(), new Date('2099-12-31T23:59:59.999Z')]) {
      const { rows } = await native.query(`select first_id_at('chat', $1) as id`, [at]);
      expect(rows).toEqual([{ id: firstIdAt('chat', at) }]);
    }
  });

  it('finds messages that were inserted after newer ones, in their order', async () => {
    const { bob } = people;
    const written = write(5000, () => ({ body: 'quay' }));
    const late = written.filter((_one, at) => at % 500 === 499);
    await insert(
      'chat_messages',
      { group_id: group.id },
      written.filter((one) => !late.includes(one)),
    );
    await insert('chat_messages', { group_id: group.id }, late.toReversed());
    const found = await findMessages(world.app.services.db, bob.id, { q: 'quay', limit: 100, offset: 2000 });
    expect(found.map(({ id }) => id)).toEqual(
      written
        .toReversed()
        .slice(2000, 2101)
        .map(({ id }) => id),
    );
  });

  it(`finds what a check of each finds (${label})`, async () => {
    const { alice, bob, carol } = people;
    const random = randomFrom(seed);
    const words = ['quay', 'port', 'anchor', 'rope', 'sail', 'mast'];
    const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
    let run = { left: 0, words: ['quay'], author_id: alice.id, hidden_from: [] as string[] };
    const written = write(5000, () => {
      if (run.left-- <= 0)
        run = {
          left: random() < 0.3 ? Math.floor(random() * 900) : 3,
          words: words.filter(() => random() < 0.5),
          author_id: one([alice.id, carol.id, bob.id]),
          hidden_from: random() < 0.2 ? [bob.id] : [],
        };
      const { author_id, hidden_from } = run;
      return { author_id, hidden_from, body: [...run.words, 'and'].join(' ') };
    });
    await insert('chat_messages', { group_id: group.id }, written);
    await suspendCarol();
    const mayRead = (message: Written) => message.author_id !== carol.id && message.hidden_from.length === 0;
    for (let round = 0; round < 30; round++) {
      const asked = words.filter(() => random() < 0.3);
      const q = asked.length > 0 ? asked.join(' ') : 'and';
      const before_id = random() < 0.5 ? one(written).id : undefined;
      const [limit, offset] = [1 + Math.floor(random() * 40), random() < 0.3 ? Math.floor(random() * 700) : 0];
      const expected = written
        .filter((message) => mayRead(message) && q.split(' ').every((word) => message.body.split(' ').includes(word)))
        .filter(({ id }) => before_id === undefined || id < before_id)
        .toReversed()
        .map(({ id }) => id);
      const query = { q, group_id: group.id, limit, offset, ...(before_id === undefined ? {} : { before_id }) };
      const found = await findMessages(world.app.services.db, bob.id, query);
      expect([query, found.map(({ id }) => id)]).toEqual([query, expected.slice(offset, offset + limit + 1)]);
    }
  });
});
