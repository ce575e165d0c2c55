import { expect, it } from 'vitest';
import { buyPlus } from '../../testing/steps/billing.ts';
import { findPersonas, advanceDays } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('DELETE /billing/subscription cancels at the end of the paid period', async () => {
  const world = await createWorld();
  const { alice } = findPersonas();
  const { token } = alice;
  const read = async () => (await world.call('GET /billing/subscription', { token })).body;
  expect((await world.call('DELETE /billing/subscription', { token })).status).toBe(404);
  await buyPlus(world, alice);
  const { current_period_end: first_end } = await read();
  await advanceDays(world, 31);
  await world.settle();
  // The service detected the renewal without a webhook.
  const renewed = await read();
  expect(renewed).toMatchObject({ tier: 'plus', state: 'active' });
  expect(renewed.current_period_end > first_end).toBe(true);
  const cancelled = await world.call('DELETE /billing/subscription', { token });
  expect([cancelled.status, cancelled.body]).toMatchObject([
    200,
    { tier: 'plus', state: 'active', cancel_at_period_end: true, current_period_end: renewed.current_period_end },
  ]);
  expect((await world.call('DELETE /billing/subscription', { token })).status).toBe(200);
  await advanceDays(world, 31);
  await world.settle();
  expect(await read()).toMatchObject({ tier: 'free', state: 'ended' });
  expect((await world.call('DELETE /billing/subscription', { token })).status).toBe(404);
  await world.close();
});
