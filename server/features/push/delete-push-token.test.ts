import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubscription, registerDevice } from '../../testing/steps/devices.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /push-token', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const count = async ({ id }: Persona) => {
    const { rows } = await world.app.services.db.native.query('select 1 from push_tokens where user_id = $1', [id]);
    return rows.length;
  };
  const deleteTokens = async ({ token }: Persona, body: object) =>
    (await world.call('DELETE /push-token', { token, body })).status;

  it('deletes one device, or all of the session, and none of other users', async () => {
    const { alice, bob } = people;
    const { subscription } = createSubscription('https://push.example.org/alice');
    await registerDevice(world, alice, { platform: 'web', subscription });
    await registerDevice(world, alice, { platform: 'ios', token: 'phone' });
    expect([await deleteTokens(bob, { token: 'phone' }), await deleteTokens(bob, {}), await count(alice)]).toEqual([
      204, 204, 2,
    ]);
    expect([await deleteTokens(alice, { endpoint: subscription.endpoint }), await count(alice)]).toEqual([204, 1]);
    await registerDevice(world, alice, { platform: 'android', token: 'tablet' });
    expect([await deleteTokens(alice, {}), await count(alice)]).toEqual([204, 0]);
    expect(await deleteTokens(alice, { token: 'a', endpoint: 'b' })).toBe(422);
  });
});
