import { expect, it } from 'vitest';
import { buyPlus } from '../../testing/steps/billing.ts';
import { advanceDays, findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('POST /billing/subscription/resume takes back a cancellation, until the end of the paid period', async () => {
  const world = await createWorld();
  const { alice } = findPersonas();
  const { token } = alice;
  const resume = () => world.call('POST /billing/subscription/resume', { token, body: {} });
  const read = async () => (await world.call('GET /billing/subscription', { token })).body;
  expect([(await resume()).status, (await resume()).body.error.message]).toEqual([
    404,
    'You have no subscription to resume.',
  ]);
  await buyPlus(world, alice);
  const bought = await read();
  expect((await resume()).body).toEqual(bought);
  await world.call('DELETE /billing/subscription', { token });
  const resumed = await resume();
  expect([resumed.status, resumed.body]).toEqual([200, bought]);
  expect((await world.events(`user:${alice.id}`)).at(-1)).toEqual({
    type: 'subscription.updated',
    data: { subscription: bought },
  });
  // It is renewed as if it had never been cancelled, also after a suspension.
  const { rows } = await world.app.services.db.native.query(
    'select renewal_stopped_by from subscriptions where user_id = $1',
    [alice.id],
  );
  expect(rows).toEqual([{ renewal_stopped_by: null }]);
  await advanceDays(world, 31);
  await world.settle();
  expect(await read()).toMatchObject({ tier: 'plus', state: 'active', cancel_at_period_end: false });

  await world.call('DELETE /billing/subscription', { token });
  await advanceDays(world, 31);
  await world.settle();
  expect((await resume()).status).toBe(404);
  expect(await read()).toMatchObject({ tier: 'free', state: 'ended' });
  await world.close();
});
