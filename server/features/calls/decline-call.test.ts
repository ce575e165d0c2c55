import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall, statesOf } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/{join_code}/decline', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('stops the ring once and emits call.updated to the host', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startCall(world, alice, [bob]);
    const decline = (token: string) => world.call(`POST /calls/${join_code}/decline`, { token, body: {} });
    expect((await decline(bob.token)).status).toBe(204);
    expect(await statesOf(world, join_code, bob)).toEqual({ alice: 'joining', bob: 'declined' });
    const last = (await world.events(`user:${alice.id}`)).at(-1);
    expect(last?.type).toBe('call.updated');
    expect(last?.data.call.participants[1]).toMatchObject({ name: 'bob', state: 'declined' });
    expect((await decline(bob.token)).status).toBe(204);
    const host = await decline(alice.token);
    expect([host.status, host.body.error.code]).toEqual([409, 'already_decided']);
    expect((await decline(carol.token)).status).toBe(404);
  });
});
