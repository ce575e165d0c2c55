import { expect, it } from 'vitest';
import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { buyPlus } from '../../testing/steps/billing.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('GET /billing/entitlements returns the enforced limits, their usage and the remaining budgets', async () => {
  const world = await createWorld();
  const { alice } = findPersonas();
  const { token } = alice;
  const read = async () => (await world.call('GET /billing/entitlements', { token })).body;
  const before = await read();
  expect([before.tier, before.limits]).toEqual(['free', plan_limits.free]);
  expect(Object.keys(before.used)).toEqual(Object.keys(plan_limits.free));
  for (let at = before.used.tags; at < before.limits.tags; at++)
    expect((await world.call('POST /xtags', { token, body: { name: `jazz${at}` } })).status).toBe(201);
  const refused = await world.call('POST /xtags', { token, body: { name: 'onemore' } });
  expect(refused.body.error.code).toBe('plan_limit_reached');
  // Reading the budgets consumes nothing of the operation budgets, and one unit of the default budget.
  const budgetOf = (answer: { budgets: { name: string; quota: number; remaining: number }[] }, name: string) =>
    answer.budgets.find((budget) => budget.name === name);
  const [first, second] = [await read(), await read()];
  expect(budgetOf(first, 'call')).toMatchObject({ quota: 30, remaining: 30, window_s: 3600 });
  expect((budgetOf(first, 'default')?.remaining ?? 0) - (budgetOf(second, 'default')?.remaining ?? 0)).toBe(1);
  expect(first.bounds).toMatchObject({ contacts: world.app.services.limits.contacts, group_members: 100 });
  expect(first.phone_money).toEqual({
    hour: { limit: 1_000_000, remaining: 1_000_000 },
    day: { limit: 3_000_000, remaining: 3_000_000 },
  });
  const contact = await addContact(world, alice, { name: 'Gran' });
  await world.call('POST /grid/members', { token, body: { contact_id: contact.id } });
  await world.call('POST /groups', { token, body: { name: 'Band' } });
  await world.call('POST /calls', { token, body: { to: [{ user_id: findPersonas().bob.id }] } });
  expect((await read()).used).toMatchObject({ tags: 10, grid_members: 1, groups: 1, call_participants: 2 });
  expect(before.upgrade).toEqual({ limits: plan_limits.plus });
  await buyPlus(world, alice);
  expect(await read()).toMatchObject({ tier: 'plus', limits: plan_limits.plus, upgrade: null, used: { tags: 10 } });
  expect((await world.call('POST /xtags', { token, body: { name: 'onemore' } })).status).toBe(201);
  await world.close();
});
