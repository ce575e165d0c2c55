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

/** Simulated subscriptions, which renew by themselves, unless their card is declined. */
function createSubscriptions(now: () => Date) {
  /** The end of the paid period of each: a checkout creates one, however often it is reported. */
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
    /** After a payment, or after one was declined. */
    settle({ session_id, user_id, state }: WirePaymentEvent): SubscriptionFacts {
      const subscription_id = subscriptionOf(session_id);
      const is_paid = state === 'paid';
      if (is_paid) declined.delete(subscription_id);
      else declined.add(subscription_id);
      return {
        subscription_id,
        user_id,
        state: is_paid ? 'active' : 'past_due',
        current_period_end: is_paid ? renew(subscription_id) : (paid_until.get(subscription_id) ?? now()),
        cancel_at_period_end: leaving.has(subscription_id),
        as_of: now(),
      };
    },
    read(known: SubscriptionFacts): SubscriptionFacts {
      const current = { ...known, as_of: now() };
      const is_paid = known.current_period_end > now();
      if (known.state === 'ended') return current;
      if (known.cancel_at_period_end && !is_paid) return { ...current, state: 'ended' };
      if (declined.has(known.subscription_id)) return { ...current, state: 'past_due' };
      if (is_paid) return current;
      return { ...current, state: 'active', current_period_end: renew(known.subscription_id) };
    },
    cancel(known: SubscriptionFacts, when: 'now' | 'period_end'): SubscriptionFacts {
      leaving.add(known.subscription_id);
      return { ...known, ...(when === 'now' ? { state: 'ended' } : {}), cancel_at_period_end: true, as_of: now() };
    },
    resume(known: SubscriptionFacts): SubscriptionFacts {
      const current = { ...known, as_of: now() };
      if (known.state === 'ended' || !known.cancel_at_period_end) return current;
      if (known.current_period_end <= now()) return { ...current, state: 'ended' };
      leaving.delete(known.subscription_id);
      return { ...current, cancel_at_period_end: false };
    },
  };
}

/** The key is local to this process, so that no other process can sign. */
export function createConsolePayment({ public_url, now }: ConsolePaymentOptions): Payment {
  const key = randomBytes(32);
  const sign = (raw_body: string) => createHmac('sha256', key).update(raw_body).digest('hex');
  const isSigned = ({ raw_body, signature }: PaymentRequest) =>
    signature.length === 64 && timingSafeEqual(Buffer.from(sign(raw_body)), Buffer.from(signature));
  const subscriptions = createSubscriptions(now);
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
      const { session_id, state } = event;
      return Promise.resolve({
        ...(state === 'declined' ? {} : { checkout: { session_id, state } }),
        ...(state === 'cancelled' ? {} : { subscription: subscriptions.settle(event) }),
      });
    },
    read: (known) => Promise.resolve(subscriptions.read(known)),
    // The console is where a card can be declined, and paid with again.
    openPortal: ({ subscription_id }) => Promise.resolve({ portal_url: `${public_url}/console#${subscription_id}` }),
    // The console's page refuses whatever is not stored as open.
    expireCheckout: () => Promise.resolve(),
    cancel: (known, when) => Promise.resolve(subscriptions.cancel(known, when)),
    resume: (known) => Promise.resolve(subscriptions.resume(known)),
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
