import { plan_limits } from '../../domain/entitlements.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { selectUsage } from './queries.ts';
import { Entitlements } from './schemas.ts';

export const getEntitlements = endpoint({
  id: 'getEntitlements',
  route: 'GET /billing/entitlements',
  summary: 'Plan limits, and what of them is used',
  reply: Entitlements,
  async run({ caller, db, now }) {
    return { tier: caller.tier, limits: plan_limits[caller.tier], used: await selectUsage(db, caller.user_id, now) };
  },
});
