/** A member of a group who writes endlessly, and another one in a block with them, who is shown none of it: pages stay fast. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectGroupChats } from '../../domain/chat/group-chat-list.ts';
import { markGroupRead, requireGroupMembership, selectReadable } from '../../domain/chat/group-chats.ts';
import { requireWidgetRole, selectWidgetChat } from '../../domain/chat/widget-chats.ts';
import type { Queryable } from '../../kernel/database/database.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { after } from '../../kernel/time.ts';
import { sendGroupMessage } from '../steps/group-chats.ts';
import { block } from '../steps/follows.ts';
import { createGroup, joinGroup } from '../steps/groups.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../steps/widgets.ts';
import { countRead } from './count-read.ts';
import { findPersonas, type Persona, type Personas } from '../world/personas.ts';
import { restoreBeforeEach } from '../world/restore-world.ts';
import { createWorld, type World } from '../world/world.ts';
import { randomFrom, seedOf } from '../../../testing/seed.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { seed, label } = seedOf(41);
const limit = 4;

describe('messages of a group that a block hides', slow, () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '10000' } });
    people = findPersonas();
    group = await createGroup(world, people.alice, 'Harbour');
    for (const one of [people.bob, people.carol]) await joinGroup(world, group, people.alice, one);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const unblock = (blocker: Persona, blocked: Persona) =>
    world.call(`DELETE /blocks/${blocked.id}`, { token: blocker.token });
  const page = async (who: Persona, query = '') => {
    const { body } = await world.call(`GET /groups/${group.id}/chat?limit=${limit}${query}`, { token: who.token });
    return body as { items: { id: string; body: string }[]; has_more: boolean };
  };
  /** All messages, read page by page. */
  const readAll = async (who: Persona) => {
    const read: { id: string; body: string }[] = [];
    for (;;) {
      const { items, has_more } = await page(who, read.length > 0 ? `&before_id=${read.at(-1)?.id}` : '');
      read.push(...items);
      if (!has_more) return read;
    }
  };
  const lastOf = async (who: Persona) => {
    const { body } = await world.call('GET /home/group-chat', { token: who.token });
    return body.items[0].last_message?.body as string | undefined;
  };

  const countMessages = (work: (db: Queryable) => Promise<unknown>) => countRead(world.app.services.db, work);

  /** As many messages as somebody writes in some hours. */
  const addMany = async (author: Persona, hidden_from: string[], place = group) => {
    const { native } = world.app.services.db;
    const prefix = firstIdAt('chat', after(world.clock.now(), 1)).slice(0, 20);
    await native.query(
      `insert into chat_messages (id, group_id, author_id, kind, body, hidden_from, created_at)
       select $1 || lpad(n::text, 11, '0'), $2, $3, 'text', 'Hello', $4, now() from generate_series(1, 20000) n`,
      [prefix, place.id, author.id, hidden_from],
    );
    await native.query('analyze chat_messages');
  };

  it(`are read as if each was checked (${label})`, async () => {
    const { alice, bob, carol } = people;
    const random = randomFrom(seed);
    const expected: string[] = [];
    let is_blocked = false;
    for (let at = 0; at < 60; at++) {
      if (random() < 0.15) {
        await (is_blocked ? unblock(bob, carol) : block(world, bob, carol));
        is_blocked = !is_blocked;
      }
      const author = random() < 0.6 ? carol : alice;
      await sendGroupMessage(world, group, author, `Message ${at}`);
      if (author !== carol || !is_blocked) expected.unshift(`Message ${at}`);
    }
    const read = await readAll(bob);
    expect(read.map(({ body }) => body)).toEqual(expected);
    expect(await lastOf(bob)).toBe(expected[0]);
    expect((await readAll(alice)).length).toBe(60);
    for (const at of [0, 7, read.length - 3]) {
      const { items: newer } = await page(bob, `&after_id=${read[at + 2]?.id}`);
      const wanted = read.slice(Math.max(0, at + 2 - limit), at + 2);
      expect(newer.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      const { items: around } = await page(bob, `&around_id=${read[at + 2]?.id}`);
      expect(around.map(({ id }) => id)).toEqual(read.slice(at, at + limit).map(({ id }) => id));
    }
    const { items: skipped } = await page(bob, '&offset=9');
    expect(skipped.map(({ id }) => id)).toEqual(read.slice(9, 9 + limit).map(({ id }) => id));
  });

  it('include none whose identifier was made before those of a hidden one, and which is inserted after them', async () => {
    const { alice, bob, carol } = people;
    await sendGroupMessage(world, group, alice, 'First');
    await block(world, bob, carol);
    const hidden: { id: string }[] = [];
    for (let at = 0; at < 3; at++) hidden.push(await sendGroupMessage(world, group, carol, `Hidden ${at}`));
    const early = await sendGroupMessage(world, group, alice, 'Early');
    const middle = String(hidden[1]?.id);
    const { native } = world.app.services.db;
    // As if its author had waited for the lock longer than the others: with an identifier between theirs.
    await native.query('delete from chat_messages where id = any($1)', [[early.id, middle]]);
    const make = world.app.services.id;
    Object.assign(world.app.services, { id: (prefix: 'chat') => (prefix === 'chat' ? middle : make(prefix)) });
    try {
      await sendGroupMessage(world, group, alice, 'Late');
    } finally {
      Object.assign(world.app.services, { id: make });
    }
    await sendGroupMessage(world, group, carol, 'Hidden 3');
    expect((await readAll(bob)).map(({ body }) => body)).toEqual(['Late', 'First']);
    expect(await lastOf(bob)).toBe('Late');
  });

  it('are skipped at once, however many they are', async () => {
    const { alice, bob, carol } = people;
    await sendGroupMessage(world, group, alice, 'Seen');
    await block(world, bob, carol);
    await sendGroupMessage(world, group, carol, 'Hidden');
    await addMany(carol, [bob.id]);
    const { native } = world.app.services.db;
    await native.query('update chat_hidden_runs set last_id = (select max(id) from chat_messages)');
    const { items } = await page(bob);
    expect(items.map(({ body }) => body)).toEqual(['Seen']);
    expect(await lastOf(bob)).toBe('Seen');
    const place = await requireGroupMembership(world.app.services.db, group.id, bob.id);
    const span = { is_oldest_first: false, limit: 31, offset: 0 };
    expect(await countMessages((db) => selectReadable(db, place, bob.id, span))).toBeLessThan(50);
    expect(await countMessages((db) => selectGroupChats(db, bob.id, {}))).toBeLessThan(50);
  });

  /** Messages in the chat, one author after the other, some of them hidden from somebody. */
  const alternate = async (place: object, authors: { author: Persona; hidden_from?: string[] }[], count: number) => {
    const { native } = world.app.services.db;
    await world.clock.advance(2);
    const prefix = firstIdAt('chat', world.clock.now()).slice(0, 20);
    const columns = Object.keys(place);
    for (const [at, { author, hidden_from = [] }] of authors.entries())
      await native.query(
        `insert into chat_messages (id, author_id, hidden_from, ${columns.join(', ')}, kind, body, created_at)
         select $1 || lpad((n * ${authors.length} + ${at})::text, 11, '0'), $2, $3,
           ${columns.map((_name, nth) => `$${nth + 4}`).join(', ')}, 'text', 'Hello', now() from generate_series(1, ${count}) n`,
        [prefix, author.id, hidden_from, ...Object.values(place)],
      );
    await native.query('analyze chat_messages');
    await world.clock.advance(2);
  };
  const suspend = ({ id }: Persona) =>
    world.app.services.db.native.query('update users set suspended_at = now() where id = $1', [id]);

  it('are passed where they alternate with those of somebody who is suspended', async () => {
    const { alice, bob, carol, uma } = people;
    await sendGroupMessage(world, group, alice, 'Seen');
    await block(world, bob, carol);
    await alternate({ group_id: group.id }, [{ author: carol, hidden_from: [bob.id] }, { author: uma }], 5000);
    const { native } = world.app.services.db;
    await native.query(
      `insert into chat_hidden_runs (group_id, user_id, first_id, last_id)
       select group_id, $1, id, id from chat_messages where author_id = $2`,
      [bob.id, carol.id],
    );
    await suspend(uma);
    await native.query('analyze chat_hidden_runs');
    expect((await page(bob)).items.map(({ body }) => body)).toEqual(['Seen']);
    expect(await lastOf(bob)).toBe('Seen');
    const place = await requireGroupMembership(world.app.services.db, group.id, bob.id);
    const span = { is_oldest_first: false, limit: 31, offset: 0 };
    expect(await countMessages((db) => selectReadable(db, place, bob.id, span))).toBeLessThan(900);
    expect(await countMessages((db) => selectGroupChats(db, bob.id, {}))).toBeLessThan(900);
  });

  it('do not require reading all that a suspended person wrote between them', async () => {
    const { alice, bob, carol, uma } = people;
    await sendGroupMessage(world, group, alice, 'Seen');
    await alternate({ group_id: group.id }, [{ author: uma }], 8000);
    await block(world, bob, carol);
    await sendGroupMessage(world, group, carol, 'Hidden');
    await suspend(uma);
    expect((await page(bob)).items.map(({ body }) => body)).toEqual(['Seen']);
    const place = await requireGroupMembership(world.app.services.db, group.id, bob.id);
    for (const is_oldest_first of [false, true]) {
      const span = { is_oldest_first, limit: 31, offset: 0 };
      expect(await countMessages((db) => selectReadable(db, place, bob.id, span))).toBeLessThan(900);
    }
  });

  it('are passed in the chat of a widget, also in a conversation beside those with others', async () => {
    const { alice, bob, carol } = people;
    const widget = await createWidget(world, alice, 'shop', { group_id: group.id });
    const [guest, other] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Oscar')];
    const { id: seen } = await sendWidgetMessage(world, widget, alice, 'Seen', { guest_id: guest.guest.id });
    await alternate({ widget_id: widget.id, guest_id: other.guest.id }, [{ author: alice }], 6000);
    const hidden = { author: carol, hidden_from: [bob.id] };
    await alternate({ widget_id: widget.id, guest_id: guest.guest.id }, [hidden], 10_000);
    const { db } = world.app.services;
    const role = await requireWidgetRole(db, widget.id, { ...bob, user_id: bob.id } as never);
    for (const guest_id of [guest.guest.id, undefined])
      for (const is_oldest_first of [false, true]) {
        const span = { is_oldest_first, limit: 31, offset: 0 };
        const found = await selectWidgetChat(db, role, bob.id, guest_id, span);
        if (guest_id !== undefined) expect(found.map(({ id }) => id)).toEqual([seen]);
        const read = await countMessages((at) => selectWidgetChat(at, role, bob.id, guest_id, span));
        expect([guest_id, is_oldest_first, read, read < 900]).toEqual([guest_id, is_oldest_first, read, true]);
      }
  });

  it('do not require reading those from before the reader joined', async () => {
    const { alice, bob, carol } = people;
    const quiet = await createGroup(world, alice, 'Quiet');
    await joinGroup(world, quiet, alice, carol);
    await addMany(carol, [], quiet);
    await joinGroup(world, quiet, alice, bob);
    expect(await countMessages((db) => selectGroupChats(db, bob.id, {}))).toBeLessThan(50);
    const { body } = await world.call('GET /home/group-chat', { token: bob.token });
    const listed = body.items.find((one: { group: { id: string } }) => one.group.id === quiet.id);
    expect(listed.last_message).toBe(null);
  });

  it('marking the chat as read counts each message once', async () => {
    const { alice, bob, carol } = people;
    const seen = await sendGroupMessage(world, group, alice, 'Seen');
    await addMany(carol, []);
    const place = await requireGroupMembership(world.app.services.db, group.id, bob.id);
    const read = (db: Queryable) => markGroupRead({ db, now: world.clock.now() }, place, bob.id, seen.id);
    expect(await countMessages(read)).toBeLessThan(50);
    expect(await countMessages(read)).toBeLessThan(50);
  });
});
