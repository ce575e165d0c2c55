import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decideOnGuest, requestEntry, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calls/{join_code}/guest', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const withdraw = (join_code: string, token: string) => world.call(`DELETE /calls/${join_code}/guest`, { token });

  it('removes a waiting guest from the list of the host, who is notified, and ends the token', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const { token, guest } = (await requestEntry(world, join_code)).body;
    expect((await withdraw(join_code, token)).status).toBe(204);
    const waiting = await world.call(`GET /calls/${join_code}/guests`, { token: alice.token });
    expect(waiting.body.items).toEqual([]);
    const events = await world.events(`user:${alice.id}`);
    expect(events.at(-1)).toMatchObject({
      type: 'call.guest_decided',
      data: { join_code, guest: { id: guest.id, name: 'Gina', state: 'withdrawn' } },
    });
    expect((await decideOnGuest(world, alice, join_code, guest.id)).status).toBe(404);
    expect((await world.call(`GET /calls/${join_code}/guest`, { token })).status).toBe(401);
    expect((await withdraw(join_code, token)).status).toBe(401);
  });

  it('leaves room for another guest when the waiting room was full', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const guests = [];
    for (let count = 0; count < 20; count++)
      guests.push((await requestEntry(world, join_code, `Guest ${count}`, `10.9.1.${count}`)).body);
    expect((await requestEntry(world, join_code, 'Late', '10.9.2.1')).status).toBe(403);
    await withdraw(join_code, guests[7].token);
    expect((await requestEntry(world, join_code, 'Late', '10.9.2.1')).status).toBe(201);
  });

  it('is a conflict for a guest who was admitted, and not found for users and in other calls', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const { token, guest } = (await requestEntry(world, join_code)).body;
    expect((await withdraw('aaa-bbbb-ccc', token)).status).toBe(404);
    expect((await withdraw(join_code, bob.token)).status).toBe(404);
    await decideOnGuest(world, alice, join_code, guest.id);
    const refused = await withdraw(join_code, token);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'already_decided']);
    expect((await world.call(`GET /calls/${join_code}/guest`, { token })).body.state).toBe('admitted');
  });
});
