import {
  presentSubscription,
  refuseProviderUnavailable,
  selectOngoing,
  selectSubscription,
  storeOwnRenewal,
  storeSubscription,
  Subscription,
} from '../../domain/billing/plans.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';

export const resumeSubscription = endpoint({
  id: 'resumeSubscription',
  route: 'POST /billing/subscription/resume',
  summary: 'Resume your cancelled subscription',
  description: 'Possible until the end of the paid period. One that is not cancelled stays as it is.',
  extension: true,
  body: object({}),
  reply: Subscription,
  status: [200],
  errors: ['not_found', 'unavailable'],
  async prepare({ caller, services }) {
    const known =
      (await selectOngoing(services.db, caller.user_id)) ??
      fail('not_found', { message: 'You have no subscription to resume.' });
    return services.payment.resume(known).catch(refuseProviderUnavailable);
  },
  async run({ caller, prepared: facts, ...change }) {
    await storeOwnRenewal(change.db, facts, true);
    await storeSubscription(change, facts);
    return presentSubscription(found(await selectSubscription(change.db, caller.user_id)));
  },
});
