/** Simulated payment: the console acts as the buyer, and events arrive in the same way as from a provider. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Payment, PaymentRequest, SimulatedOutcome, SubscriptionFacts } from '../ports.ts';

/** The address of the console's checkout page, and the service's clock. */
export type ConsolePaymentOptions = { public_url: string; now: () => Date };

/** How long a checkout stays open, as with Stripe. */
const checkout_ms = 24 * 60 * 60 * 1000;
/** A simulated month. */
const period_ms = 30 * 24 * 60 * 60 * 1000;

/** The subscription of a checkout. */
const subscriptionOf = (session_id: string) => session_id.replace(/^cs_/, 'sub_');

/**
 * Subscriptions renew automatically, unless the console has declined their card. The key is local to this process, so
 * that no other process can sign.
 */
export function createConsolePayment({ public_url, now }: ConsolePaymentOptions): Payment {
  const key = randomBytes(32);
  const sign = (raw_body: string) => createHmac('sha256', key).update(raw_body).digest('hex');
  const isSigned = ({ raw_body, signature }: PaymentRequest) =>
    signature.length === 64 && timingSafeEqual(Buffer.from(sign(raw_body)), Buffer.from(signature));
  /** The end of the paid period of each subscription: a checkout creates one, however often it is reported. */
  const paid_until = new Map<string, Date>();
  const declined = new Set<string>();
  const leaving = new Set<string>();
  const renew = (subscription_id: string) => {
    const known = paid_until.get(subscription_id);
    const until = known && known > now() ? known : new Date(now().getTime() + period_ms);
    paid_until.set(subscription_id, until);
    return until;
  };
  return {
    sells: true,
    openCheckout() {
      const session_id = `cs_console_${randomBytes(12).toString('hex')}`;
      const expires_at = new Date(now().getTime() + checkout_ms);
      return Promise.resolve({ session_id, checkout_url: `${public_url}/console#${session_id}`, expires_at });
    },
    receive(request) {
      if (!isSigned(request)) return Promise.resolve(undefined);
      const { session_id, user_id, state } = JSON.parse(request.raw_body) as WirePaymentEvent;
      if (state === 'cancelled') return Promise.resolve({ checkout: { session_id, state } });
      const subscription_id = subscriptionOf(session_id);
      if (state === 'paid') declined.delete(subscription_id);
      else declined.add(subscription_id);
      const subscription: SubscriptionFacts = {
        subscription_id,
        user_id,
        state: state === 'paid' ? 'active' : 'past_due',
        current_period_end: state === 'paid' ? renew(subscription_id) : (paid_until.get(subscription_id) ?? now()),
        cancel_at_period_end: leaving.has(subscription_id),
        as_of: now(),
      };
      return Promise.resolve({ subscription, ...(state === 'paid' ? { checkout: { session_id, state } } : {}) });
    },
    read(known) {
      const { subscription_id } = known;
      const current = { ...known, as_of: now() };
      if (known.state === 'ended') return Promise.resolve(current);
      if (known.cancel_at_period_end && known.current_period_end <= now())
        return Promise.resolve({ ...current, state: 'ended' });
      if (declined.has(subscription_id)) return Promise.resolve({ ...current, state: 'past_due' });
      if (known.current_period_end > now()) return Promise.resolve(current);
      return Promise.resolve({ ...current, state: 'active', current_period_end: renew(subscription_id) });
    },
    // The console is where a card can be declined, and paid with again.
    openPortal: ({ subscription_id }) => Promise.resolve({ portal_url: `${public_url}/console#${subscription_id}` }),
    // The console's page refuses whatever is not stored as open.
    expireCheckout: () => Promise.resolve(),
    cancel(known, when) {
      leaving.add(known.subscription_id);
      const ended = when === 'now' ? { state: 'ended' as const } : {};
      return Promise.resolve({ ...known, ...ended, cancel_at_period_end: true, as_of: now() });
    },
    resume(known) {
      const is_over = known.state === 'ended' || known.current_period_end <= now();
      if (!is_over) leaving.delete(known.subscription_id);
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

type WirePaymentEvent = { session_id: string; user_id: string; state: SimulatedOutcome };
