import { selectSubscription } from '../../domain/billing.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { ApiError, fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { insertCheckout, selectBuyer, selectOpenCheckout } from './queries.ts';
import { Checkout } from './schemas.ts';

export const startCheckout = endpoint({
  id: 'startCheckout',
  route: 'POST /billing/checkout',
  summary: 'Start checkout for the paid tier',
  body: object({}),
  reply: Checkout,
  status: [201, 200],
  errors: ['conflict', 'unavailable'],
  async prepare({ caller, now, services }) {
    const { db, payment, public_url } = services;
    if (!payment.sells) fail('unavailable', { message: 'This service sells no plans.' });
    const row = await selectSubscription(db, caller.user_id);
    if (row?.tier === 'plus') fail('conflict', { message: 'You have the paid plan.' });
    const open = await selectOpenCheckout(db, caller.user_id, now);
    if (open) return { ...open, is_new: false };
    const buyer = await selectBuyer(db, caller.user_id);
    const made = await payment
      .openCheckout({ ...buyer, return_url: `${public_url}/app/settings/plan` })
      .catch(unreached);
    return { ...made, is_new: true };
  },
  async run({ caller, prepared, db, now }) {
    const { is_new, ...made } = prepared;
    // Of two at once the first stands for both.
    const { expires_at, ...checkout } = is_new ? await insertCheckout(db, caller.user_id, made, now) : made;
    const body = { ...checkout, expires_at: wireTime(expires_at) };
    return is_new && checkout.session_id === made.session_id ? body : reply(200, body);
  },
});

function unreached(cause: unknown): never {
  throw new ApiError('unavailable', { message: 'The payment provider does not answer.', cause });
}
