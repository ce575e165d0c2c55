import {
  refuseProviderUnavailable,
  storeOwnRenewal,
  storeSubscription,
  presentSubscription,
  selectOngoing,
  selectSubscription,
  Subscription,
} from '../../domain/billing/plans.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';

export const cancelSubscription = endpoint({
  id: 'cancelSubscription',
  route: 'DELETE /billing/subscription',
  summary: 'Cancel your subscription',
  description: 'It remains active until the end of the paid period.',
  extension: true,
  reply: Subscription,
  errors: ['not_found', 'unavailable'],
  async prepare({ caller, services }) {
    const known =
      (await selectOngoing(services.db, caller.user_id)) ??
      fail('not_found', { message: 'You have no subscription to cancel.' });
    return services.payment.cancel(known, 'period_end').catch(refuseProviderUnavailable);
  },
  async run({ caller, prepared: facts, ...change }) {
    await storeOwnRenewal(change.db, facts, false);
    await storeSubscription(change, facts);
    return presentSubscription(found(await selectSubscription(change.db, caller.user_id)));
  },
});
