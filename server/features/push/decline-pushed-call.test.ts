import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall } from '../../testing/steps/calls.ts';
import { createSubscription, registerDevice } from '../../testing/steps/devices.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /push-token/decline', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('declines the call that rings for the owner of the device, and no other', async () => {
    const { alice, bob, carol } = people;
    const [hers, others] = [
      createSubscription('https://push.example.org/a'),
      createSubscription('https://push.example.org/c'),
    ];
    await registerDevice(world, alice, { platform: 'web', subscription: hers.subscription });
    await registerDevice(world, carol, { platform: 'web', subscription: others.subscription });
    const { join_code } = await startCall(world, bob, [alice]);
    const decline = async ({ subscription }: typeof hers, code: string, auth = subscription.keys.auth) => {
      const device = { endpoint: subscription.endpoint, auth };
      const { status, body } = await world.call('POST /push-token/decline', { body: { device, join_code: code } });
      return [status, body?.error?.code];
    };
    const state = async () => {
      const { body } = await world.call(`GET /calls/${join_code}`, { token: bob.token });
      return body.participants.find(({ user }: { user: { id: string } }) => user.id === alice.id).state;
    };
    // The secret of another device and the device of another user are rejected.
    expect(await decline(hers, join_code, others.subscription.keys.auth)).toEqual([404, 'not_found']);
    expect(await decline(others, join_code)).toEqual([404, 'not_found']);
    expect(await decline(hers, 'aaa-bbbb-ccc')).toEqual([404, 'not_found']);
    expect(await state()).toBe('ringing');
    expect(await decline(hers, join_code)).toEqual([204, undefined]);
    expect(await state()).toBe('declined');
    expect(await decline(hers, join_code)).toEqual([204, undefined]);
    await world.call('DELETE /calls/active', { token: bob.token });
    const second = await startCall(world, bob, [alice]);
    await world.call('DELETE /calls/active', { token: bob.token });
    expect(await decline(hers, second.join_code)).toEqual([409, 'already_decided']);
  });
});
