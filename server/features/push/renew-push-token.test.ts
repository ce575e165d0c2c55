import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubscription, pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { findPersonas, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /push-token/renewal', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const proofOf = ({ subscription }: ReturnType<typeof createSubscription>) => ({
    endpoint: subscription.endpoint,
    auth: subscription.keys.auth,
  });
  const renew = async (device: object, { subscription }: ReturnType<typeof createSubscription>) => {
    const { status, body } = await world.call('POST /push-token/renewal', { body: { device, subscription } });
    return [status, body.error?.code ?? body.platform];
  };
  const hashesOf = async (session_id: string) => {
    const { rows } = await world.app.services.db.native.query('select hash from push_tokens where session_id = $1', [
      session_id,
    ]);
    return rows.map(({ hash }: { hash: string }) => hash);
  };

  it('replaces the old subscription for the same user and session', async () => {
    const { alice, bob } = people;
    const [old, renewed] = [
      createSubscription('https://push.example.org/old'),
      createSubscription('https://push.example.org/new'),
    ];
    await registerDevice(world, alice, { platform: 'web', subscription: old.subscription });
    const before = await hashesOf(alice.session_id);
    expect(await renew(proofOf(old), renewed)).toEqual([200, 'web']);
    const after = await hashesOf(alice.session_id);
    expect([before.length, after.length, after[0] === before[0]]).toEqual([1, 1, false]);
    await postStatus(world, bob, 'Hello @alice');
    expect(await pushesOf(world, alice)).toHaveLength(1);
    // The old subscription is no longer valid as proof.
    expect(await renew(proofOf(old), old)).toEqual([404, 'not_found']);
  });

  it('returns 404 for a wrong secret and an ended session', async () => {
    const { bob } = people;
    const again = await signInAgain(world, bob);
    const mine = createSubscription('https://push.example.org/bob');
    const other = createSubscription('https://push.example.org/other');
    await registerDevice(world, again, { platform: 'web', subscription: mine.subscription });
    const { endpoint, auth } = proofOf(mine);
    expect(await renew({ endpoint, auth: proofOf(other).auth }, other)).toEqual([404, 'not_found']);
    expect(await renew({ endpoint: 'https://push.example.org/nobody', auth }, other)).toEqual([404, 'not_found']);
    const elsewhere = createSubscription('https://10.0.0.1/x');
    expect(await renew({ endpoint, auth }, elsewhere)).toEqual([422, 'validation_failed']);
    await world.call(`DELETE /auth/sessions/${again.session_id}`, { token: bob.token });
    expect(await renew({ endpoint, auth }, other)).toEqual([404, 'not_found']);
  });
});
