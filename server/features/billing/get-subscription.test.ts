import { expect, it } from 'vitest';
import { storeSubscription } from '../../domain/billing/plans.ts';
import { grantPlanByOperator } from '../../domain/moderation/operator-plans.ts';
import type { SubscriptionFacts } from '../../engines/ports.ts';
import { change } from '../../kernel/services.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const read = async (world: World, token: string) => (await world.call('GET /billing/subscription', { token })).body;

it('GET /billing/subscription follows the newest facts of the provider, in any order of arrival', async () => {
  const world = await createWorld();
  const { alice } = findPersonas();
  const { services } = world.app;
  expect(await read(world, alice.token)).toEqual({
    tier: 'free',
    state: 'none',
    current_period_end: null,
    cancel_at_period_end: false,
  });
  const now_ms = world.clock.now().getTime();
  const at = (seconds: number) => new Date(now_ms + seconds * 1000);
  const first: SubscriptionFacts = {
    subscription_id: 'sub_1',
    user_id: alice.id,
    state: 'active',
    current_period_end: at(30 * 86_400),
    cancel_at_period_end: false,
    as_of: at(10),
  };
  const receive = (facts: Partial<SubscriptionFacts>) =>
    change(services, (tx) => storeSubscription(tx, { ...first, ...facts }));
  await receive({});
  expect(await read(world, alice.token)).toMatchObject({ tier: 'plus', state: 'active' });
  await receive({ state: 'past_due', as_of: at(20) });
  expect(await read(world, alice.token)).toMatchObject({ tier: 'plus', state: 'past_due' });
  // The end of a past-due period lies in the past: the provider is polled again in an hour, not in a loop.
  await receive({ state: 'past_due', current_period_end: at(-86_400), as_of: at(25) });
  const { rows: jobs } = await services.db.native.query(
    `select run_at from graphile_worker.jobs where key = 'subscription:sub_1'`,
  );
  expect(jobs.map(({ run_at }) => Math.round((run_at.getTime() - at(25).getTime()) / 1000))).toEqual([3600]);
  await receive({ state: 'ended', as_of: at(40) });
  await receive({ state: 'active', as_of: at(30) });
  expect(await read(world, alice.token)).toMatchObject({ tier: 'free', state: 'ended' });
  // The end of one subscription does not end another, and facts of one account do not change another account.
  await receive({ subscription_id: 'sub_2', as_of: at(50) });
  await receive({ state: 'ended', as_of: at(60) });
  await receive({ user_id: findPersonas().bob.id, state: 'active', as_of: at(70) });
  expect(await read(world, alice.token)).toMatchObject({ tier: 'plus', state: 'active' });
  expect(await read(world, findPersonas().bob.token)).toMatchObject({ tier: 'free', state: 'none' });
  await world.close();
});

it('GET /billing/subscription shows a plan granted by an operator, until it is revoked', async () => {
  const world = await createWorld();
  const { bob } = findPersonas();
  const motive = { operator: 'test', reason: 'a friend of the house' };
  await grantPlanByOperator(world.app.services, '@bob', 'plus', motive);
  expect(await read(world, bob.token)).toMatchObject({ tier: 'plus', state: 'active', current_period_end: null });
  await grantPlanByOperator(world.app.services, bob.id, 'free', motive);
  expect(await read(world, bob.token)).toMatchObject({ tier: 'free', state: 'ended' });
  await world.close();
});
