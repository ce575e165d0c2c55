/** Simulated payment: the console acts as the buyer, and events arrive in the same way as from a provider. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Payment, PaymentEvent, PaymentRequest, SubscriptionFacts } from '../ports.ts';

/** The address of the console's checkout page, and the service's clock. */
export type ConsolePaymentOptions = { public_url: string; now: () => Date };

/** How long a checkout stays open, as with Stripe. */
const checkout_ms = 24 * 60 * 60 * 1000;
/** A simulated month. */
const period_ms = 30 * 24 * 60 * 60 * 1000;

/**
 * Subscriptions renew automatically, as if cards never failed. The key is local to this process, so that no other
 * process can sign.
 */
export function createConsolePayment({ public_url, now }: ConsolePaymentOptions): Payment {
  const key = randomBytes(32);
  const sign = (raw_body: string) => createHmac('sha256', key).update(raw_body).digest('hex');
  const isSigned = ({ raw_body, signature }: PaymentRequest) =>
    signature.length === 64 && timingSafeEqual(Buffer.from(sign(raw_body)), Buffer.from(signature));
  /** The end of the paid period of each checkout: it creates one subscription, however often it is reported. */
  const paid = new Map<string, Date>();
  const periodFrom = (moment: Date) => new Date(moment.getTime() + period_ms);
  return {
    sells: true,
    openCheckout() {
      const session_id = `cs_console_${randomBytes(12).toString('hex')}`;
      const expires_at = new Date(now().getTime() + checkout_ms);
      return Promise.resolve({ session_id, checkout_url: `${public_url}/console#${session_id}`, expires_at });
    },
    receive(request) {
      if (!isSigned(request)) return Promise.resolve(undefined);
      const event = JSON.parse(request.raw_body) as WirePaymentEvent;
      const until = paid.get(event.session_id) ?? periodFrom(now());
      if (event.state === 'paid') paid.set(event.session_id, until);
      return Promise.resolve(readPaymentEvent(event, now(), until));
    },
    read(known) {
      const renewed = { ...known, as_of: now() };
      if (known.state === 'ended' || known.current_period_end > now()) return Promise.resolve(renewed);
      if (known.cancel_at_period_end) return Promise.resolve({ ...renewed, state: 'ended' });
      return Promise.resolve({ ...renewed, state: 'active', current_period_end: periodFrom(now()) });
    },
    // The console's page refuses whatever is not stored as open.
    expireCheckout: () => Promise.resolve(),
    cancel(known, when) {
      const ended = when === 'now' ? { state: 'ended' as const } : {};
      return Promise.resolve({ ...known, ...ended, cancel_at_period_end: true, as_of: now() });
    },
    resume(known) {
      const is_over = known.state === 'ended' || known.current_period_end <= now();
      const state = is_over ? ('ended' as const) : known.state;
      return Promise.resolve({ ...known, state, cancel_at_period_end: is_over, as_of: now() });
    },
    simulator: {
      settle({ session_id, user_id }, state) {
        const raw_body = JSON.stringify({ session_id, user_id, state } satisfies WirePaymentEvent);
        return { raw_body, signature: sign(raw_body) };
      },
    },
    close: () => Promise.resolve(),
  };
}

type WirePaymentEvent = { session_id: string; user_id: string; state: 'paid' | 'cancelled' };

function readPaymentEvent(
  { session_id, user_id, state }: WirePaymentEvent,
  as_of: Date,
  current_period_end: Date,
): PaymentEvent {
  const checkout = { session_id, state };
  if (state === 'cancelled') return { checkout };
  const subscription_id = session_id.replace(/^cs_/, 'sub_');
  const facts = { subscription_id, user_id, current_period_end, cancel_at_period_end: false, as_of };
  return { checkout, subscription: { ...facts, state: 'active' } satisfies SubscriptionFacts };
}
