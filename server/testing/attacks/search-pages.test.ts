/** Searches in chats with very many messages: what they read, and that it is right. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMessages } from '../../domain/messages/message-search.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { createGroup, joinGroup } from '../steps/groups.ts';
import { startJoinedCall, type TestCall } from '../steps/call-chat.ts';
import { block } from '../steps/follows.ts';
import { createWidget } from '../steps/widgets.ts';
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
  let widget: { id: string };
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

  it('reads few of them, for words that are rare, everywhere, or frequent but rarely together', async () => {
    const { bob } = people;
    const count = 12_000;
    const written = write(count, (at) => ({
      body: `quay ${at % 2 ? 'port' : 'starboard'} ${at === 5000 ? 'port anchor' : 'rope'} word${at % 400}`,
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
    };
    // At most those that show that there are many, the newest, and a page.
    for (const [name, reads] of Object.entries(counts))
      expect([name, reads, reads < 2500]).toEqual([name, reads, true]);
    for (const name of ['rare', 'none', 'together'] as const) expect([name, counts[name] < 20]).toEqual([name, true]);
  });

  it('reads those of people who are hidden once, without a check of each', async () => {
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
      expect([place, reads, reads < count + 2500]).toEqual([place, reads, true]);
    }
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
