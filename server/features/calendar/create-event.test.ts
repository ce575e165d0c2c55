import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { event_defaults, refusedFields, createEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calendar/events', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const create = (body: object) =>
    world.call('POST /calendar/events', { token: people.alice.token, body: { ...event_defaults, ...body } });

  it('creates an event with all given fields and emits calendar.changed to its owner', async () => {
    const { alice } = people;
    const fields = {
      title: ' Rehearsal ',
      description: 'Bring scores',
      location: 'Hall',
      starts_at: '2030-03-04T10:00:00+01:00',
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10',
      reminders: [{ minutes_before: 10 }, { minutes_before: 0 }],
      call: { enabled: true },
    };
    const event = await createEvent(world, alice, fields);
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      title: 'Rehearsal',
      description: 'Bring scores',
      location: 'Hall',
      starts_at: '2030-03-04T09:00:00Z',
      ends_at: '2030-03-04T10:00:00Z',
      all_day: false,
      timezone: 'Europe/Berlin',
      rrule: fields.rrule,
      exdates: [],
      reminders: [{ minutes_before: 10 }, { minutes_before: 0 }],
      call: { enabled: true, join_code: expect.stringMatching(/^[a-z]{3}-[a-z]{4}-[a-z]{3}$/) },
      role: 'owner',
      owner: { username: 'alice' },
      share: null,
      revision: 1,
    });
    expect(event).not.toHaveProperty('occurrences');
    expect((await world.call(`GET /calendar/events/${event.id}`, { token: alice.token })).body).toEqual(event);
    expect(await world.events(`user:${alice.id}`)).toContainEqual({
      type: 'calendar.changed',
      data: { op: 'upsert', event },
    });
  });

  it('defaults to the time zone of the account, and accepts dates for all-day events', async () => {
    const { alice } = people;
    await world.call('PATCH /me', { token: alice.token, body: { timezone: 'America/Santiago' } });
    const event = await createEvent(world, alice, {
      all_day: true,
      starts_at: '2030-09-08',
      ends_at: '2030-09-10',
      exdates: ['2030-09-09'],
    });
    expect(event).toMatchObject({
      timezone: 'America/Santiago',
      starts_at: '2030-09-08',
      ends_at: '2030-09-10',
      exdates: ['2030-09-09'],
    });
  });

  it.each([
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: 'turned \u202egpj.exe' }],
    ['starts_at', { starts_at: '2030-03-04' }],
    ['starts_at', { starts_at: '2030-02-30T09:00:00Z' }],
    ['starts_at', { starts_at: '2030-03-04T09:00:00' }],
    ['starts_at', { all_day: true }],
    ['ends_at', { all_day: true, starts_at: '2030-03-04', ends_at: '2030-03-04' }],
    ['ends_at', { ends_at: event_defaults.starts_at }],
    ['ends_at', { ends_at: '2032-03-04T09:00:00Z', rrule: 'FREQ=DAILY' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '+01:00' }],
    ['rrule', { rrule: 'RRULE:FREQ=DAILY' }],
    ['rrule', { rrule: 'FREQ=SOMETIMES' }],
    ['rrule', { rrule: 'COUNT=3' }],
    ['rrule', { rrule: 'FREQ=DAILY;COUNT=3;UNTIL=20300401' }],
    ['rrule', { rrule: 'FREQ=DAILY;UNTIL=20200101T000000Z' }],
    ['rrule', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }],
    ['rrule', { rrule: 'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30' }],
    ['rrule', { rrule: `FREQ=DAILY;BYHOUR=${'1,'.repeat(300)}1` }],
    ['exdates', { exdates: ['soon'] }],
    ['reminders.0.minutes_before', { reminders: [{ minutes_before: 40_321 }] }],
    ['reminders', { reminders: Array.from({ length: 6 }, (_, at) => ({ minutes_before: at })) }],
  ])('rejects an invalid %s: %j', async (field, body) => {
    const [status, names] = refusedFields(await create(body));
    expect([status, names[0]]).toEqual([422, field]);
  });

  it('enforces the plan limits of events and of recurring events, also for concurrent requests', async () => {
    const { carol } = people;
    const { native } = world.app.services.db;
    const event = await createEvent(world, carol, { rrule: 'FREQ=DAILY' });
    const copy = (count: number, from: number, rrule: string | null) =>
      native.query(
        `insert into calendar_events (id, owner_id, title, starts_at, ends_at, all_day, timezone, rrule, first_at, last_at,
           notified_until, created_at, updated_at)
         select 'evt_' || lpad(n::text, 26, '0'), owner_id, title, starts_at, ends_at, all_day, timezone, $3, first_at,
           last_at, notified_until, created_at, updated_at from calendar_events, generate_series($2::int, $2 + $1 - 1) n where id = $4`,
        [count, from, rrule, event.id],
      );
    await copy(998, 1, 'FREQ=DAILY');
    const recur = () =>
      world.call('POST /calendar/events', { token: carol.token, body: { ...event_defaults, rrule: 'FREQ=DAILY' } });
    const responses = await Promise.all([recur(), recur()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403]);
    await copy(9000, 1000, null);
    const full = await world.call('POST /calendar/events', { token: carol.token, body: event_defaults });
    expect([full.status, full.body.error.code]).toEqual([403, 'plan_limit_reached']);
  });
});
