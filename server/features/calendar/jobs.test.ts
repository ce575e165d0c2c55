import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upcomingEvents } from '../../domain/calendar/events.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { notifiedKinds, makeEvent, share } from '../../testing/calendaring.ts';
import { findPersonas, passTime, type Persona, type Personas } from '../../testing/personas.ts';
import { rewindEach } from '../../testing/rewind.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('what is due of an event', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  rewindEach(() => world);

  /** An event that starts so many seconds from now. */
  const eventIn = (who: Persona, seconds: number, body: object = {}) => {
    const starts = after(world.clock.now(), seconds);
    return makeEvent(world, who, { starts_at: wireTime(starts), ends_at: wireTime(after(starts, 3600)), ...body });
  };
  const read = ({ token }: Persona) => world.call('POST /notifications/read-all', { token, body: {} });

  it('is told at its time, once: reminders to the owner, the start to guests, too', async () => {
    const { alice, bob } = people;
    const event = await eventIn(alice, 3600, { reminders: [{ minutes_before: 10 }], call: { enabled: true } });
    await share(world, event, alice, [bob]);
    await notifiedKinds(world, bob);
    await passTime(world, 2990);
    expect(await notifiedKinds(world, alice)).toEqual([]);
    await passTime(world, 11);
    expect(await notifiedKinds(world, alice)).toEqual(['event_reminder']);
    expect(await notifiedKinds(world, bob)).toEqual(['event_shared']);
    await passTime(world, 600);
    expect(await notifiedKinds(world, alice)).toEqual(['event_starting', 'event_reminder']);
    expect(await notifiedKinds(world, bob)).toEqual(['event_starting', 'event_shared']);
    const { body } = await world.call('GET /notifications', { token: bob.token });
    expect(body.items[0]).toMatchObject({ text: 'Rehearsal starts now', subject: { type: 'event', id: event.id } });
    await passTime(world, 86_400);
    expect(await notifiedKinds(world, bob)).toEqual(['event_starting', 'event_shared']);
  });

  it('follows an edit, an exception and the end of the event', async () => {
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
    await passTime(world, 1001);
    expect(await notifiedKinds(world, carol)).toEqual([]);
    await passTime(world, 7200);
    expect(await notifiedKinds(world, carol)).toEqual(['event_starting']);
    // Each day is a notification of its own, whether that of the day before was read or not.
    for (const told of [2, 3, 3]) {
      await passTime(world, 86_400);
      await notifiedKinds(world, carol);
      const { body } = await world.call('GET /notifications', { token: carol.token });
      expect(body.items).toHaveLength(told);
    }
    await read(carol);
  });

  it('is told of each reminder, the newest first', async () => {
    const { alice } = people;
    const before = await notifiedKinds(world, alice);
    await eventIn(alice, 3600, { reminders: [{ minutes_before: 10 }, { minutes_before: 20 }] });
    await passTime(world, 2401);
    await notifiedKinds(world, alice);
    await passTime(world, 601);
    expect(await notifiedKinds(world, alice)).toEqual(['event_reminder', 'event_reminder', ...before]);
    const { body } = await world.call('GET /notifications?limit=2', { token: alice.token });
    const [second, first] = body.items.map(({ created_at }: { created_at: string }) => Date.parse(created_at));
    expect(second - first).toBeGreaterThanOrEqual(599_000);
  });

  it('is told late after an outage, but not of the day before', async () => {
    const { bob } = people;
    await read(bob);
    const before = (await notifiedKinds(world, bob)).length;
    await eventIn(bob, 600, { call: { enabled: true }, title: 'Long ago' });
    await eventIn(bob, 80_000, { call: { enabled: true }, title: 'Of late' });
    await passTime(world, 100_000);
    expect(await notifiedKinds(world, bob)).toHaveLength(before + 1);
    const { body } = await world.call('GET /notifications', { token: bob.token });
    expect(body.items[0].text).toBe('Of late starts now');
  });

  it('keeps the next start, by which the next events of somebody are found', async () => {
    const { alice, bob } = people;
    const soon = await eventIn(alice, 500, { title: 'Soon', rrule: 'FREQ=WEEKLY' });
    const later = await eventIn(bob, 1000, { title: 'Later' });
    await share(world, later, bob, [alice]);
    const next = async () =>
      (await upcomingEvents(world.app.services.db, alice.id, world.clock.now(), 5)).map(({ row }) => row.title);
    expect(await next()).toEqual(['Soon', 'Later']);
    await passTime(world, 501);
    await world.settle();
    // It goes on for an hour, and comes first until it has ended.
    expect(await next()).toEqual(['Soon', 'Later']);
    await passTime(world, 3600);
    await world.settle();
    expect(await next()).toEqual(['Later', 'Soon']);
    await passTime(world, 600);
    await world.settle();
    expect(await next()).toEqual(['Soon']);
    expect(soon.id).toMatch(/^evt_/);
  });
});
