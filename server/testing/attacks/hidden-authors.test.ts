/** Chats in which somebody wrote endlessly before they were suspended or blocked: pages stay fast to read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCallChat } from '../../domain/chat/call-chat.ts';
import { selectGroupChats } from '../../domain/chat/group-chat-list.ts';
import { requireGroupMembership, selectReadable } from '../../domain/chat/group-chats.ts';
import { requireWidgetRole, selectWidgetChat } from '../../domain/chat/widget-chats.ts';
import { sql } from '../../kernel/database/database.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { startJoinedCall, type TestCall } from '../steps/call-chat.ts';
import { block } from '../steps/follows.ts';
import { becomeGuest, createWidget } from '../steps/widgets.ts';
import { createGroup, joinGroup } from '../steps/groups.ts';
import { countRead } from './count-read.ts';
import { findPersonas, type Persona, type Personas } from '../world/personas.ts';
import { restoreBeforeEach } from '../world/restore-world.ts';
import { createWorld, type World } from '../world/world.ts';
import { randomFrom, seedOf } from '../../../testing/seed.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { seed, label } = seedOf(77);

/** The columns of a message that say where it is, and what was written by whom. */
type Written = { id: string; author_id: string | null; hidden_from: string[] };

describe('messages of people who are hidden', slow, () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  let call: TestCall;
  let widget: Awaited<ReturnType<typeof createWidget>>;
  let guest: Awaited<ReturnType<typeof becomeGuest>>;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '10000' } });
    people = findPersonas();
    const { alice, bob, carol } = people;
    group = await createGroup(world, alice, 'Harbour');
    for (const one of [bob, carol]) await joinGroup(world, group, alice, one);
    call = await startJoinedCall(world, alice, bob, carol);
    widget = await createWidget(world, alice, 'shop', { group_id: group.id });
    guest = await becomeGuest(world, widget);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const suspend = ({ id }: Persona) =>
    world.app.services.db.native.query('update users set suspended_at = now() where id = $1', [id]);

  /** Inserts messages as if they had been sent one after the other. */
  async function insert(table: 'call_messages' | 'chat_messages', place: object, messages: Written[]): Promise<void> {
    const has_hidden = table === 'chat_messages';
    const columns = Object.keys(place);
    await world.app.services.db.native.query(
      `insert into ${table} (id, author_id, ${has_hidden ? 'hidden_from, ' : ''} ${columns.join(', ')}, kind, body, created_at)
       select id, author_id, ${has_hidden ? 'array(select jsonb_array_elements_text(hidden_from)),' : ''}
         ${columns.map((_name, at) => `$${at + 2}`).join(', ')}, 'text', 'Hello', now()
       from jsonb_to_recordset($1) m (id text, author_id text, hidden_from jsonb)`,
      [JSON.stringify(messages), ...Object.values(place)],
    );
  }

  const prefix = (ahead_s = 60) =>
    firstIdAt('chat', new Date(world.clock.now().getTime() + ahead_s * 1000)).slice(0, 20);
  const idAt = (start: string, at: number) => start + String(at).padStart(11, '0');

  /** Long runs of messages by random authors, some of them hidden from random people. */
  function writeRuns(authors: (string | null)[], readers: string[], random: () => number): Written[] {
    const start = prefix();
    const written: Written[] = [];
    const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
    while (written.length < 900) {
      const author_id = one(authors);
      const hidden_from = readers.filter(() => random() < 0.15);
      const length = random() < 0.3 ? 150 + Math.floor(random() * 120) : 1 + Math.floor(random() * 4);
      for (let at = 0; at < length; at++) written.push({ id: idAt(start, written.length), author_id, hidden_from });
    }
    return written;
  }

  /** Pages of every kind, compared with those of a list of what is readable, newest first. */
  async function expectPages(path: string, reader: { token: string }, readable: string[], random: () => number) {
    const page = async (query: string) => {
      const { status, body } = await world.call(`GET ${path}?${query}`, { token: reader.token });
      expect([status, body.error]).toEqual([200, undefined]);
      return [body.items.map(({ id }: { id: string }) => id), body.has_more];
    };
    expect(await page('limit=3')).toEqual([readable.slice(0, 3), readable.length > 3]);
    for (let round = 0; round < 12; round++) {
      const at = Math.floor(random() * readable.length);
      const limit = 1 + Math.floor(random() * 40);
      const newer = readable.slice(Math.max(0, at - limit), at);
      expect(await page(`before_id=${readable[at]}&limit=${limit}`)).toEqual([
        readable.slice(at + 1, at + 1 + limit),
        readable.length > at + 1 + limit,
      ]);
      expect(await page(`after_id=${readable[at]}&limit=${limit}`)).toEqual([newer, at > limit]);
      expect(await page(`offset=${at}&limit=${limit}`)).toEqual([
        readable.slice(at, at + limit),
        readable.length > at + limit,
      ]);
    }
  }

  it(`are passed in the chat of a group as if each was checked (${label})`, async () => {
    const { alice, bob, carol, uma } = people;
    const random = randomFrom(seed);
    const written = writeRuns([alice.id, carol.id, uma.id], [bob.id, alice.id], random);
    await insert('chat_messages', { group_id: group.id }, written);
    await suspend(carol);
    const readable = written.filter((one) => one.author_id !== carol.id && !one.hidden_from.includes(bob.id));
    const ids = readable.map(({ id }) => id).toReversed();
    await expectPages(`/groups/${group.id}/chat`, bob, ids, random);
  });

  it(`are passed in the chat of a call as if each was checked (${label})`, async () => {
    const { alice, bob, carol, uma } = people;
    const random = randomFrom(seed + 1);
    const written = writeRuns([alice.id, carol.id, uma.id, null], [], random);
    await insert('call_messages', { call_id: call.conference_id }, written);
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    await block(world, bob, carol);
    await suspend(uma);
    const hidden = new Set<string | null>([carol.id, uma.id]);
    const ids = written.filter(({ author_id }) => !hidden.has(author_id)).map(({ id }) => id);
    for (const path of [`/calls/${call.join_code}/chat`, `/call-history/${call.conference_id}/chat`])
      await expectPages(path, bob, ids.toReversed(), random);
  });

  it(`are passed in the conversation of a widget as if each was checked (${label})`, async () => {
    const { alice, bob, carol, uma } = people;
    const random = randomFrom(seed + 2);
    const other = await becomeGuest(world, widget, 'Oscar');
    const written = writeRuns([alice.id, carol.id, uma.id], [bob.id], random).map((one) => {
      return { ...one, guest_id: [guest.guest.id, other.guest.id, null][Math.floor(random() * 3)] ?? null };
    });
    for (const guest_id of [guest.guest.id, other.guest.id, null])
      await insert(
        'chat_messages',
        { widget_id: widget.id, guest_id },
        written.filter((one) => one.guest_id === guest_id),
      );
    await suspend(carol);
    const shown = written.filter((one) => one.author_id !== carol.id && !one.hidden_from.includes(bob.id)).toReversed();
    const ids = (of: typeof shown) => of.map(({ id }) => id);
    const path = `/widgets/${widget.id}/chat`;
    await expectPages(path, bob, ids(shown), random);
    const seen = written.filter((one) => one.author_id !== carol.id && one.guest_id !== other.guest.id).toReversed();
    await expectPages(path, guest, ids(seen), random);
  });

  it('cost no more than a page, however many they are', async () => {
    const { alice, bob, carol } = people;
    const { db } = world.app.services;
    const start = prefix();
    const of = ({ id }: Persona, from: number, count: number): Written[] =>
      Array.from({ length: count }, (_none, at) => ({ id: idAt(start, from + at), author_id: id, hidden_from: [] }));
    const written = [...of(alice, 0, 40), ...of(carol, 40, 8000)];
    await insert('chat_messages', { group_id: group.id }, written);
    await insert('call_messages', { call_id: call.conference_id }, written);
    const later = prefix(3600);
    const in_widget = written.map((one) => ({ ...one, id: one.id.replace(start, later) }));
    await insert('chat_messages', { widget_id: widget.id, guest_id: guest.guest.id }, in_widget);
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    await block(world, bob, carol);
    await suspend(carol);
    for (const table of ['chat_messages', 'call_messages']) await db.native.query(`analyze ${table}`);
    const span = { is_oldest_first: false, limit: 31, offset: 0 };
    const place = await requireGroupMembership(db, group.id, bob.id);
    const role = await requireWidgetRole(db, widget.id, { ...bob, user_id: bob.id } as never);
    const counts = {
      group: await countRead(db, (at) => selectReadable(at, place, bob.id, span)),
      list: await countRead(db, (at) => selectGroupChats(at, bob.id, {})),
      call: await countRead(db, async (at) => (await openCallChat(at, call.conference_id, bob.id, false))(sql``, span)),
      past_call: await countRead(db, async (at) =>
        (await openCallChat(at, call.conference_id, bob.id, true))(sql``, span),
      ),
      widget: await countRead(db, (at) => selectWidgetChat(at, role, bob.id, guest.guest.id, span)),
    };
    for (const [name, count] of Object.entries(counts)) expect([name, count, count < 900]).toEqual([name, count, true]);
  });

  it('and those from before one joined a call are not read', async () => {
    const { alice, bob, carol } = people;
    const { db } = world.app.services;
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    const start = firstIdAt('chat', new Date(world.clock.now().getTime() - 3_600_000)).slice(0, 20);
    const written = Array.from({ length: 8000 }, (_none, at) => {
      return { id: idAt(start, at), author_id: at % 2 ? carol.id : alice.id, hidden_from: [] };
    });
    await insert('call_messages', { call_id: call.conference_id }, written);
    await db.native.query(`update call_messages set created_at = now() - interval '1 hour' where id like $1`, [
      `${start}%`,
    ]);
    await db.native.query('analyze call_messages');
    const span = { is_oldest_first: false, limit: 31, offset: 0 };
    for (const is_transcript of [false, true]) {
      const read = countRead(db, async (at) =>
        (await openCallChat(at, call.conference_id, bob.id, is_transcript))(sql``, span),
      );
      expect(await read).toBeLessThan(50);
    }
  });
});
