import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedFields, createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calendar/events/{event_id}/exdates', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const addExdate = ({ id }: { id: string }, starts_at: string, { token } = people.alice) =>
    world.call(`POST /calendar/events/${id}/exdates`, { token, body: { starts_at } });

  it('removes an occurrence; repeating it changes nothing; dates without an occurrence are rejected', async () => {
    const event = await createEvent(world, people.alice, { rrule: 'FREQ=DAILY;COUNT=3' });
    const added = await addExdate(event, '2030-03-05T10:00:00+01:00');
    expect([added.status, added.body.exdates, added.body.revision]).toEqual([200, ['2030-03-05T09:00:00Z'], 2]);
    const again = await addExdate(event, '2030-03-05T09:00:00Z');
    expect([again.status, again.body]).toEqual([200, added.body]);
    const window = 'from=2030-03-01T00:00:00Z&to=2030-03-31T00:00:00Z';
    const { body } = await world.call(`GET /calendar/events?${window}`, { token: people.alice.token });
    expect(body.items[0].occurrences).toHaveLength(2);
    for (const wrong of ['2030-03-05T09:00:01Z', '2030-03-07T09:00:00Z', '2030-03-05', 'soon'])
      expect(refusedFields(await addExdate(event, wrong))).toEqual([422, ['starts_at']]);
  });

  it('accepts a date of an all-day event', async () => {
    const days = { all_day: true, starts_at: '2030-09-07', ends_at: '2030-09-08', timezone: 'America/Santiago' };
    const event = await createEvent(world, people.alice, { ...days, rrule: 'FREQ=DAILY;COUNT=3' });
    // On the 8th the clock skips midnight.
    expect((await addExdate(event, '2030-09-08')).body.exdates).toEqual(['2030-09-08']);
    expect(refusedFields(await addExdate(event, '2030-09-10'))).toEqual([422, ['starts_at']]);
  });

  it('keeps the exdates of concurrent requests; a guest gets 403 and others 404', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice, { rrule: 'FREQ=DAILY' });
    await Promise.all([addExdate(event, '2030-03-05T09:00:00Z'), addExdate(event, '2030-03-06T09:00:00Z')]);
    const { body } = await world.call(`GET /calendar/events/${event.id}`, { token: alice.token });
    expect([body.exdates.length, body.revision]).toEqual([2, 3]);
    await shareEvent(world, event, alice, [bob]);
    expect((await addExdate(event, '2030-03-07T09:00:00Z', bob)).status).toBe(403);
    expect((await addExdate(event, '2030-03-07T09:00:00Z', carol)).status).toBe(404);
  });
});
