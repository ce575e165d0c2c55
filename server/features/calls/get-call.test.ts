import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall } from '../../testing/calling.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /calls/{join_code}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const see = async (token: string, join_code: string) =>
    (await world.call(`GET /calls/${join_code}`, { token })).status;

  it('shows a private call to those in it alone', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    const { status, body } = await world.call(`GET /calls/${call.join_code}`, { token: bob.token });
    expect([status, body]).toEqual([200, call]);
    expect(await see(carol.token, call.join_code)).toBe(404);
    const grant = await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: carol.token, body: {} });
    expect([grant.status, grant.body.error.code]).toEqual([404, 'not_found']);
  });

  it('shows a public call to everybody while it goes on', async () => {
    const { bob, carol } = people;
    const { join_code } = await startCall(world, bob, [], { privacy: 'public' });
    expect(await see(carol.token, join_code)).toBe(200);
    await world.call('DELETE /calls/active', { token: bob.token });
    expect(await see(carol.token, join_code)).toBe(404);
    expect(await see(bob.token, join_code)).toBe(200);
  });
});
