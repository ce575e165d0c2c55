import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notificationKinds, createEvent, fetchAddress, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calendar/events/{event_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('deletes the event for all its people, with its public link and notifications', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice);
    const { url } = await shareEvent(world, event, alice, [bob], true);
    expect(await notificationKinds(world, bob)).toEqual(['event_shared']);
    const remove = (token: string) => world.call(`DELETE /calendar/events/${event.id}`, { token });
    expect((await remove(bob.token)).status).toBe(403);
    expect((await remove(carol.token)).status).toBe(404);
    expect((await remove(alice.token)).status).toBe(204);
    expect((await remove(alice.token)).status).toBe(404);
    for (const { id, token } of [alice, bob]) {
      expect((await world.call(`GET /calendar/events/${event.id}`, { token })).status).toBe(404);
      expect(await world.events(`user:${id}`)).toContainEqual({
        type: 'calendar.changed',
        data: { op: 'delete', event_id: event.id },
      });
    }
    expect((await fetchAddress(world, url)).status).toBe(410);
    expect(await notificationKinds(world, bob)).toEqual([]);
  });
});
