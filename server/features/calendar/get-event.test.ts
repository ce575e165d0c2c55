import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendUser, restoreUser } from '../../domain/moderation/suspension.ts';
import { createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calendar/events/{event_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const get = (id: string, { token }: { token: string }) => world.call(`GET /calendar/events/${id}`, { token });

  it('omits reminders and shares for a guest, and returns 404 to others', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice, { reminders: [{ minutes_before: 5 }], call: { enabled: true } });
    await shareEvent(world, event, alice, [bob]);
    const seen = await get(event.id, bob);
    expect(seen.body).toEqual({ ...event, role: 'guest', reminders: [], share: null });
    const [hidden, absent] = [await get(event.id, carol), await get(`evt_${'0'.repeat(26)}`, carol)];
    expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
  });

  it('returns 404 to guests while its owner is suspended', async () => {
    const { alice, bob } = people;
    const event = await createEvent(world, alice);
    await shareEvent(world, event, alice, [bob]);
    const motive = { operator: 'olga', reason: 'because' };
    await suspendUser(world.app.services, 'alice', motive);
    expect((await get(event.id, bob)).status).toBe(404);
    await restoreUser(world.app.services, 'alice', motive);
    expect((await get(event.id, bob)).status).toBe(200);
  });
});
