import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upcomingEvents } from '../../domain/calendar/events.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { notificationKinds, createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, advanceSeconds, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('Jobs of calendar events', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** Creates an event that starts in the given number of seconds. */
  const eventIn = (who: Persona, seconds: number, body: object = {}) => {
    const starts = after(world.clock.now(), seconds);
    return createEvent(world, who, { starts_at: wireTime(starts), ends_at: wireTime(after(starts, 3600)), ...body });
  };
  const read = ({ token }: Persona) => world.call('POST /notifications/read-all', { token, body: {} });

  it('send a reminder to the owner, and the start to owner and guests, once each', async () => {
    const { alice, bob } = people;
    const event = await eventIn(alice, 3600, { reminders: [{ minutes_before: 10 }], call: { enabled: true } });
    await shareEvent(world, event, alice, [bob]);
    await notificationKinds(world, bob);
    await advanceSeconds(world, 2990);
    expect(await notificationKinds(world, alice)).toEqual([]);
    await advanceSeconds(world, 11);
    expect(await notificationKinds(world, alice)).toEqual(['event_reminder']);
    const reminders = (await world.call('GET /notifications', { token: alice.token })).body.items;
    expect(reminders).toMatchObject([{ text: 'Rehearsal starts in 10 minutes', minutes_before: 10 }]);
    expect(await notificationKinds(world, bob)).toEqual(['event_shared']);
    await advanceSeconds(world, 600);
    expect(await notificationKinds(world, alice)).toEqual(['event_starting', 'event_reminder']);
    expect(await notificationKinds(world, bob)).toEqual(['event_starting', 'event_shared']);
    const { body } = await world.call('GET /notifications', { token: bob.token });
    expect(body.items[0]).toMatchObject({ text: 'Rehearsal starts now', subject: { type: 'event', id: event.id } });
    await advanceSeconds(world, 86_400);
    expect(await notificationKinds(world, bob)).toEqual(['event_starting', 'event_shared']);
  });

  it('announce no start of an event whose owner is suspended', async () => {
    const { alice, bob } = people;
    const event = await eventIn(alice, 3600, { call: { enabled: true } });
    await shareEvent(world, event, alice, [bob]);
    await suspendUser(world.app.services, alice.id, { operator: 'olga', reason: 'because' });
    await advanceSeconds(world, 3601);
    expect(await notificationKinds(world, bob)).toEqual([]);
  });

  it('respect edits, deletion, exdates and the end of the recurrence', async () => {
    const { carol } = people;
    const moved = await eventIn(carol, 1000, { call: { enabled: true } });
    await world.call(`PATCH /calendar/events/${moved.id}`, {
      token: carol.token,
      body: {
        ends_at: wireTime(after(new Date(moved.ends_at), 7200)),
        starts_at: wireTime(after(new Date(moved.starts_at), 7200)),
      },
    });
    const removed = await eventIn(carol, 1000, { call: { enabled: true } });
    await world.call(`DELETE /calendar/events/${removed.id}`, { token: carol.token });
    const daily = await eventIn(carol, 1000, { call: { enabled: true }, rrule: 'FREQ=DAILY;COUNT=3' });
    await world.call(`POST /calendar/events/${daily.id}/exdates`, {
      token: carol.token,
      body: { starts_at: daily.starts_at },
    });
    await advanceSeconds(world, 1001);
    expect(await notificationKinds(world, carol)).toEqual([]);
    await advanceSeconds(world, 7200);
    expect(await notificationKinds(world, carol)).toEqual(['event_starting']);
    // Each day is a separate notification, whether or not that of the day before was read.
    for (const count of [2, 3, 3]) {
      await advanceSeconds(world, 86_400);
      await notificationKinds(world, carol);
      const { body } = await world.call('GET /notifications', { token: carol.token });
      expect(body.items).toHaveLength(count);
    }
    await read(carol);
  });

  it('send what was due before an edit, although it came first', async () => {
    const { alice } = people;
    const event = await eventIn(alice, 3600, { reminders: [{ minutes_before: 59 }, { minutes_before: 30 }] });
    await world.clock.advance(61);
    const edited = await world.call(`PATCH /calendar/events/${event.id}`, {
      token: alice.token,
      body: { title: 'New' },
    });
    expect(edited.status).toBe(200);
    await world.settle();
    expect(await notificationKinds(world, alice)).toEqual(['event_reminder']);
    await advanceSeconds(world, 30 * 60);
    expect(await notificationKinds(world, alice)).toEqual(['event_reminder', 'event_reminder']);
  });

  it('send what was due before an exception was added, although that came first', async () => {
    const { alice } = people;
    await read(alice);
    const before = await notificationKinds(world, alice);
    const event = await eventIn(alice, 3600, { rrule: 'FREQ=DAILY;COUNT=3', reminders: [{ minutes_before: 59 }] });
    await world.clock.advance(61);
    const next = wireTime(after(new Date(event.starts_at), 86_400));
    const token = alice.token;
    const excepted = await world.call(`POST /calendar/events/${event.id}/exdates`, {
      token,
      body: { starts_at: next },
    });
    expect(excepted.status).toBe(200);
    await world.settle();
    expect(await notificationKinds(world, alice)).toEqual(['event_reminder', ...before]);
    await advanceSeconds(world, 86_400);
    expect(await notificationKinds(world, alice)).toEqual(['event_reminder', ...before]);
  });

  it('send each reminder separately, listed newest first', async () => {
    const { alice } = people;
    const before = await notificationKinds(world, alice);
    await eventIn(alice, 3600, { reminders: [{ minutes_before: 10 }, { minutes_before: 20 }] });
    await advanceSeconds(world, 2401);
    await notificationKinds(world, alice);
    await advanceSeconds(world, 601);
    expect(await notificationKinds(world, alice)).toEqual(['event_reminder', 'event_reminder', ...before]);
    const { body } = await world.call('GET /notifications?limit=2', { token: alice.token });
    const [second, first] = body.items.map(({ created_at }: { created_at: string }) => Date.parse(created_at));
    expect(second - first).toBeGreaterThanOrEqual(599_000);
  });

  it('catch up on notifications after an outage, but not on those older than a day', async () => {
    const { bob } = people;
    await read(bob);
    const before = (await notificationKinds(world, bob)).length;
    await eventIn(bob, 600, { call: { enabled: true }, title: 'Long ago' });
    await eventIn(bob, 80_000, { call: { enabled: true }, title: 'Of late' });
    await advanceSeconds(world, 100_000);
    expect(await notificationKinds(world, bob)).toHaveLength(before + 1);
    const { body } = await world.call('GET /notifications', { token: bob.token });
    expect(body.items[0].text).toBe('Of late starts now');
  });

  it('maintain the next start, by which upcoming events are selected', async () => {
    const { alice, bob } = people;
    const soon = await eventIn(alice, 500, { title: 'Soon', rrule: 'FREQ=WEEKLY' });
    const later = await eventIn(bob, 1000, { title: 'Later' });
    await shareEvent(world, later, bob, [alice]);
    const next = async () =>
      (await upcomingEvents(world.app.services.db, alice.id, world.clock.now(), 5)).map(({ row }) => row.title);
    expect(await next()).toEqual(['Soon', 'Later']);
    await advanceSeconds(world, 501);
    await world.settle();
    // It lasts an hour, and is listed first until it has ended.
    expect(await next()).toEqual(['Soon', 'Later']);
    await advanceSeconds(world, 3600);
    await world.settle();
    expect(await next()).toEqual(['Later', 'Soon']);
    await advanceSeconds(world, 600);
    await world.settle();
    expect(await next()).toEqual(['Soon']);
    expect(soon.id).toMatch(/^evt_/);
  });

  it('leave out events of a suspended owner, without hiding those of others', async () => {
    const { alice, bob, carol } = people;
    const { db } = world.app.services;
    const titles = async () => (await upcomingEvents(db, carol.id, world.clock.now(), 5)).map(({ row }) => row.title);
    const before = await titles();
    for (let at = 0; at < 11; at++)
      await shareEvent(world, await eventIn(bob, 60 + at, { title: 'Suspended' }), bob, [carol]);
    await shareEvent(world, await eventIn(alice, 200, { title: 'Shared' }), alice, [carol]);
    expect(await titles()).toContain('Suspended');
    await suspendUser(world.app.services, 'bob', { operator: 'olga', reason: 'because' });
    expect(await titles()).toEqual(['Shared', ...before]);
  });
});
