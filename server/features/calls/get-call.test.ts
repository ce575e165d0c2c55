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

  const statusFor = async (token: string, join_code: string) =>
    (await world.call(`GET /calls/${join_code}`, { token })).status;

  it('returns a private call to its participants only', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    const { status, body } = await world.call(`GET /calls/${call.join_code}`, { token: bob.token });
    expect([status, body]).toEqual([200, call]);
    expect(await statusFor(carol.token, call.join_code)).toBe(404);
    const grant = await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: carol.token, body: {} });
    expect([grant.status, grant.body.error.code]).toEqual([404, 'not_found']);
  });

  it('returns a public call to everyone until it ends', async () => {
    const { bob, carol } = people;
    const { join_code } = await startCall(world, bob, [], { privacy: 'public' });
    expect(await statusFor(carol.token, join_code)).toBe(200);
    await world.call('DELETE /calls/active', { token: bob.token });
    expect(await statusFor(carol.token, join_code)).toBe(404);
    expect(await statusFor(bob.token, join_code)).toBe(200);
  });
});
