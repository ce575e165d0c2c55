import { refuseProviderUnavailable } from '../../domain/billing/plans.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { insertCheckout, selectBuyer } from './queries.ts';
import { Checkout } from './schemas.ts';

export const startCheckout = endpoint({
  id: 'startCheckout',
  route: 'POST /billing/checkout',
  summary: 'Start the checkout for the paid plan',
  body: object({}),
  reply: Checkout,
  status: [201, 200],
  errors: ['already_subscribed', 'unavailable'],
  async prepare({ caller, now, services }) {
    const { db, payment, public_url } = services;
    if (!payment.sells) fail('unavailable', { message: 'This service has no paid plans.' });
    const { tier, open, email } = await selectBuyer(db, caller.user_id, now);
    if (tier === 'plus') fail('already_subscribed', { message: 'You already have the paid plan.' });
    if (open) return { ...open, expires_at: new Date(open.expires_at), is_new: false };
    const made = await payment
      .openCheckout({ user_id: caller.user_id, email, return_url: `${public_url}/app/settings/plan` })
      .catch(refuseProviderUnavailable);
    return { ...made, is_new: true };
  },
  async run({ caller, prepared, db, now }) {
    const { is_new, ...made } = prepared;
    // Two concurrent requests both return the checkout of the first.
    const { expires_at, ...checkout } = is_new ? await insertCheckout(db, caller.user_id, made, now) : made;
    const body = { ...checkout, expires_at: wireTime(expires_at) };
    return is_new && checkout.session_id === made.session_id ? body : reply(200, body);
  },
});
