import { presentSubscription, selectSubscription, Subscription } from '../../domain/billing/plans.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';

export const getSubscription = endpoint({
  id: 'getSubscription',
  route: 'GET /billing/subscription',
  summary: 'Get your subscription',
  reply: Subscription,
  async run({ caller, db }) {
    return presentSubscription(found(await selectSubscription(db, caller.user_id)));
  },
});
