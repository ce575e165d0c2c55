import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { moneyLeft, phone_limits, selectSpent } from '../../domain/calls/phones/phone-policy.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import type { Services } from '../../kernel/services.ts';
import { selectUsage } from './queries.ts';
import { bound_names, budget_names, Entitlements, type BoundName } from './schemas.ts';

export const getEntitlements = endpoint({
  id: 'getEntitlements',
  route: 'GET /billing/entitlements',
  summary: 'Get your entitlements',
  description: 'Limits and budgets of your plan, and their use.',
  reply: Entitlements,
  async run({ caller, db, now, services }) {
    const { tier, user_id } = caller;
    const [used, spent, budgets] = await Promise.all([
      selectUsage(db, user_id, now),
      selectSpent(db, user_id, now),
      lookAtBudgets(services, user_id),
    ]);
    const limits = phone_limits[tier];
    const left = moneyLeft(limits, spent, now);
    const bounds = Object.fromEntries(bound_names.map((name) => [name, services.limits[name]]));
    return {
      tier,
      limits: plan_limits[tier],
      upgrade: tier === 'free' && services.payment.sells ? { limits: plan_limits.plus } : null,
      used,
      bounds: bounds as Record<BoundName, number>,
      budgets,
      phone_money: {
        hour: { limit: limits.hour_micros, remaining: Math.max(0, Math.floor(left.hour)) },
        day: { limit: limits.day_micros, remaining: Math.max(0, Math.floor(left.day)) },
      },
    };
  },
});

const lookAtBudgets = ({ throttle }: Services, user_id: string) =>
  Promise.all(
    budget_names.map(async (name) => {
      const { quota, remaining, window_s, reset_s } = await throttle.peek(name, user_id);
      return { name, quota, remaining, window_s, reset_s };
    }),
  );
