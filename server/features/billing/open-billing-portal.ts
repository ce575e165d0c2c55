import { refuseProviderUnavailable, selectOngoing } from '../../domain/billing/plans.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';

export const openBillingPortal = endpoint({
  id: 'openBillingPortal',
  route: 'POST /billing/portal',
  summary: 'Open the page of your payment method and invoices',
  description: 'The page belongs to the payment provider, and its address is valid for a short time.',
  extension: true,
  body: object({}),
  reply: object({ portal_url: Type.String() }),
  status: [200],
  errors: ['not_found', 'unavailable'],
  async prepare({ caller, services }) {
    const { db, payment, public_url } = services;
    const known =
      (await selectOngoing(db, caller.user_id)) ??
      fail('not_found', { message: 'You have no subscription to manage.' });
    return payment
      .openPortal({ subscription_id: known.subscription_id, return_url: `${public_url}/app/settings/plan` })
      .catch(refuseProviderUnavailable);
  },
  run: ({ prepared }) => Promise.resolve(prepared),
});
