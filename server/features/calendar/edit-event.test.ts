import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedFields, createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { slow } from '../../../testing/slow-tests.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { findPersonas, sessionClock, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /calendar/events/{event_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const edit = (id: string, body: object, { token } = people.alice) =>
    world.call(`PATCH /calendar/events/${id}`, { token, body });

  it('changes only the given fields, increments the revision, and clears fields with null', async () => {
    const { alice } = people;
    const before = await createEvent(world, alice, {
      description: 'x',
      location: 'y',
      rrule: 'FREQ=DAILY',
      reminders: [{ minutes_before: 5 }],
      call: { enabled: true },
    });
    const moved = await edit(before.id, { title: 'Concert', starts_at: '2030-03-04T08:00:00Z' });
    expect(moved.body).toMatchObject({ title: 'Concert', starts_at: '2030-03-04T08:00:00Z', revision: 2 });
    const cleared = await edit(before.id, {
      description: null,
      location: null,
      rrule: null,
      reminders: null,
      call: null,
    });
    expect(cleared.body).toMatchObject({
      description: null,
      location: null,
      rrule: null,
      reminders: [],
      call: { enabled: false },
      revision: 3,
    });
    const again = await edit(before.id, { call: { enabled: true } });
    expect(again.body.call.join_code).toBe(before.call.join_code);
    expect((await edit(before.id, {})).body).toEqual(again.body);
  });

  it('rejects a stale revision with 409, also for concurrent edits', async () => {
    const { id } = await createEvent(world, people.alice);
    const responses = await Promise.all([edit(id, { title: 'A', revision: 1 }), edit(id, { title: 'B', revision: 1 })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stale = await edit(id, { title: 'C', revision: 1 });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'revision_conflict']);
    expect((await edit(id, { title: 'C', revision: 2 })).body.revision).toBe(3);
  });

  it('of an event with guests is limited to 120 a minute, since each is sent to all of them', slow, async () => {
    const { bob, carol } = people;
    const own = await createEvent(world, bob);
    const shared = await createEvent(world, bob);
    await shareEvent(world, shared, bob, [carol]);
    await startBudgetWindow(sessionClock(world));
    const statuses: number[] = [];
    for (let at = 0; at < 120; at++) statuses.push((await edit(shared.id, { title: `${at}` }, bob)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await edit(shared.id, { title: 'Once more' }, bob)).status).toBe(429);
    expect((await edit(own.id, { title: 'Alone' }, bob)).status).toBe(200);
  });

  it('keeps only the exdates that are still occurrences', async () => {
    const { alice } = people;
    const { id } = await createEvent(world, alice, {
      rrule: 'FREQ=DAILY;COUNT=5',
      exdates: ['2030-03-05T09:00:00Z', '2030-03-07T09:00:00Z'],
    });
    expect((await edit(id, { rrule: 'FREQ=DAILY;COUNT=2' })).body.exdates).toEqual(['2030-03-05T09:00:00Z']);
  });

  it('moves exdates together with the start, in local time', async () => {
    const { id } = await createEvent(world, people.alice, {
      starts_at: '2030-03-30T09:00:00Z',
      ends_at: '2030-03-30T10:00:00Z',
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=DAILY;COUNT=5',
      exdates: ['2030-03-31T08:00:00Z', '2030-04-03T08:00:00Z'],
    });
    // Moves the start by a day and half an hour in local time, across a change of the clock.
    const later = await edit(id, { starts_at: '2030-03-31T08:30:00Z', ends_at: '2030-03-31T09:30:00Z' });
    expect(later.body.exdates).toEqual(['2030-04-01T08:30:00Z', '2030-04-04T08:30:00Z']);
    const shorter = await edit(id, { rrule: 'FREQ=DAILY;COUNT=3' });
    expect(shorter.body.exdates).toEqual(['2030-04-01T08:30:00Z']);
    const days = await edit(id, { all_day: true, starts_at: '2030-03-31', ends_at: '2030-04-01' });
    expect(days.body.exdates).toEqual(['2030-04-01']);
    const timed = { all_day: false, starts_at: '2030-03-31T12:00:00Z', ends_at: '2030-03-31T13:00:00Z' };
    expect((await edit(id, timed)).body.exdates).toEqual(['2030-04-01T12:00:00Z']);
    const other_days = await edit(id, { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3' });
    expect(other_days.body.exdates).toEqual([]);
  });

  it('validates the given fields together with the stored ones', async () => {
    const { id } = await createEvent(world, people.alice);
    expect(refusedFields(await edit(id, { starts_at: '2030-03-04T11:00:00Z' }))).toEqual([422, ['ends_at']]);
    expect(refusedFields(await edit(id, { all_day: true }))).toEqual([422, ['starts_at']]);
    expect(refusedFields(await edit(id, { timezone: 'Nowhere' }))).toEqual([422, ['timezone']]);
    const days = await edit(id, { all_day: true, starts_at: '2030-03-04', ends_at: '2030-03-05' });
    expect(days.body).toMatchObject({ all_day: true, starts_at: '2030-03-04', ends_at: '2030-03-05' });
  });

  it('returns 403 to a guest and 404 to others', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice);
    await shareEvent(world, event, alice, [bob]);
    const guest = await edit(event.id, { title: 'Mine' }, bob);
    expect([guest.status, guest.body.error.code]).toEqual([403, 'forbidden']);
    const [hidden, absent] = [await edit(event.id, {}, carol), await edit(`evt_${'0'.repeat(26)}`, {}, carol)];
    expect([hidden.status, hidden.body]).toEqual([absent.status, absent.body]);
    expect(hidden.status).toBe(404);
  });
});
