import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall, statesOf } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calls/active', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const end = (token: string) => world.call('DELETE /calls/active', { token });

  /** Starts a call of alice that bob has joined, while carol's devices ring. */
  async function startJoinedCall() {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    return call;
  }

  it('removes a guest, and the call continues', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startJoinedCall();
    expect((await end(bob.token)).status).toBe(204);
    await world.settle();
    expect(await statesOf(world, join_code, alice)).toEqual({ alice: 'joined', bob: 'left', carol: 'ringing' });
    expect([...(world.rooms.get(conference_id) ?? [])]).toEqual([alice.id]);
  });

  it('ends the call for all if the caller is the host, and emits call.ended', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall();
    expect((await end(alice.token)).status).toBe(204);
    await world.settle();
    expect(world.rooms.has(call.conference_id)).toBe(false);
    for (const { id } of [alice, bob, carol]) {
      const last = (await world.events(`user:${id}`)).at(-1);
      expect(last?.type).toBe('call.ended');
      expect(last?.data.call).toMatchObject({ state: 'ended', end_reason: 'hung_up' });
    }
    expect(await statesOf(world, call.join_code, bob)).toEqual({ alice: 'left', bob: 'left', carol: 'no_answer' });
    const again = await end(alice.token);
    expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
  });
});
