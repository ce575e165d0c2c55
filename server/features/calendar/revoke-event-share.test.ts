import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvent, fetchAddress, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calendar/events/{event_id}/share', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('revokes the public link and the access of guests; only the owner may do so', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice);
    const { url } = await shareEvent(world, event, alice, [bob], true);
    const revoke = (token: string) => world.call(`DELETE /calendar/events/${event.id}/share`, { token });
    expect((await revoke(bob.token)).status).toBe(403);
    expect((await revoke(carol.token)).status).toBe(404);
    expect((await revoke(alice.token)).status).toBe(204);
    expect((await revoke(alice.token)).status).toBe(204);
    expect((await fetchAddress(world, url)).status).toBe(410);
    const token = url.split('/').at(-1);
    expect((await world.call(`GET /public-links/${token}`)).status).toBe(410);
    expect((await world.call(`GET /calendar/events/${event.id}`, { token: bob.token })).status).toBe(404);
    expect((await world.call(`GET /calendar/events/${event.id}`, { token: alice.token })).body.share).toBeNull();
  });
});
