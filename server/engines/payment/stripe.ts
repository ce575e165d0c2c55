/**
 * Payment by Stripe: its own pages for the checkout (https://docs.stripe.com/payments/checkout) and for customers
 * (https://docs.stripe.com/customer-management), subscriptions, and signed webhooks. A webhook is only a hint: its subject
 * is read from Stripe again, so that lost, duplicate and reordered ones are harmless.
 */
import Stripe from 'stripe';
import { askProvider } from '../answers.ts';
import type { Payment, PaymentEvent, SubscriptionFacts } from '../ports.ts';

/** An account of Stripe. */
export type StripeOptions = {
  secret_key: string;
  webhook_secret: string;
  /** The recurring price that is sold, `price_…`. */
  price: string;
  now: () => Date;
  /** A base address other than Stripe's, for tests. */
  base_url?: string;
  timeout_ms?: number;
};

/**
 * Converts a subscription of Stripe.
 * @throws for one that was created elsewhere, since it names no account
 */
function factsOf(subscription: Stripe.Subscription, as_of: Date): SubscriptionFacts {
  const user_id = subscription.metadata['user_id'];
  const ends_s = Math.max(0, ...subscription.items.data.map((item) => item.current_period_end));
  if (!user_id) throw new Error(`Subscription ${subscription.id} names no account.`);
  return {
    subscription_id: subscription.id,
    user_id,
    state: states[subscription.status] ?? 'ended',
    current_period_end: new Date(ends_s * 1000),
    cancel_at_period_end: subscription.cancel_at_period_end,
    as_of,
  };
}

/**
 * Stripe's states (https://docs.stripe.com/api/subscriptions/object#subscription_object-status); all others mean an
 * end.
 */
const states: Partial<Record<Stripe.Subscription.Status, SubscriptionFacts['state']>> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
};

/** Rejects with Stripe's error, or when there is no answer for `timeout_ms` (10 s). */
export function createStripePayment(options: StripeOptions): Payment {
  const { secret_key, webhook_secret, price, now, base_url = 'https://api.stripe.com', timeout_ms = 10_000 } = options;
  const { hostname, port, protocol } = new URL(base_url);
  const stripe = new Stripe(secret_key, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: timeout_ms,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(async (url, init = {}) => {
      const { method = 'GET', headers = {}, body = null } = init;
      const answer = await askProvider(String(url), { method, headers, body, timeout_ms });
      return new Response(answer.text || null, { status: answer.status, headers: answer.headers });
    }),
  });
  const retrieve = async (id: string): Promise<SubscriptionFacts> => {
    // The time is taken before the request: an answer that was requested later is at least as new.
    const as_of = now();
    return factsOf(await stripe.subscriptions.retrieve(id), as_of);
  };
  return {
    sells: true,
    async openCheckout({ user_id, email, return_url }) {
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price, quantity: 1 }],
        client_reference_id: user_id,
        subscription_data: { metadata: { user_id } },
        success_url: `${return_url}?checkout=paid`,
        cancel_url: `${return_url}?checkout=cancelled`,
        ...(email ? { customer_email: email } : {}),
      });
      if (!session.url) throw new Error('Stripe opened a checkout without an address.');
      return { session_id: session.id, checkout_url: session.url, expires_at: new Date(session.expires_at * 1000) };
    },
    async receive({ raw_body, signature }) {
      const event = await stripe.webhooks
        .constructEventAsync(raw_body, signature, webhook_secret)
        .catch(() => undefined);
      return event && readEvent(event, retrieve);
    },
    read: ({ subscription_id }) => retrieve(subscription_id),
    openPortal: (subscription) => openPortal(stripe, subscription),
    async expireCheckout(session_id) {
      await stripe.checkout.sessions.expire(session_id).catch(async (error: unknown) => {
        // Stripe refuses this for a page that is paid or has ended.
        const { status } = await stripe.checkout.sessions.retrieve(session_id);
        if (status === 'open') throw error;
      });
    },
    async cancel({ subscription_id }, when) {
      const known = await retrieve(subscription_id);
      if (known.state === 'ended') return known;
      const as_of = now();
      if (when === 'now') return factsOf(await stripe.subscriptions.cancel(subscription_id), as_of);
      return factsOf(await stripe.subscriptions.update(subscription_id, { cancel_at_period_end: true }), as_of);
    },
    async resume({ subscription_id }) {
      const known = await retrieve(subscription_id);
      if (known.state === 'ended' || !known.cancel_at_period_end) return known;
      const as_of = now();
      return factsOf(await stripe.subscriptions.update(subscription_id, { cancel_at_period_end: false }), as_of);
    },
    close: () => Promise.resolve(),
  };
}

/** A session of the customer portal, for the customer whom Stripe has created for the subscription. */
async function openPortal(
  stripe: Stripe,
  { subscription_id, return_url }: { subscription_id: string; return_url: string },
): Promise<{ portal_url: string }> {
  const { customer } = await stripe.subscriptions.retrieve(subscription_id);
  const { url } = await stripe.billingPortal.sessions.create({
    customer: typeof customer === 'string' ? customer : customer.id,
    return_url,
  });
  return { portal_url: url };
}

/** The subject of an event. A checkout with delayed payment (a bank transfer) is reported when it is paid. */
async function readEvent(
  event: Stripe.Event,
  retrieve: (id: string) => Promise<SubscriptionFacts>,
): Promise<PaymentEvent> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const { id: session_id, subscription, payment_status } = event.data.object;
      if (payment_status === 'unpaid' || !subscription) return {};
      return {
        checkout: { session_id, state: 'paid' },
        subscription: await retrieve(typeof subscription === 'string' ? subscription : subscription.id),
      };
    }
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return { checkout: { session_id: event.data.object.id, state: 'cancelled' } };
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return event.data.object.metadata['user_id'] ? { subscription: await retrieve(event.data.object.id) } : {};
    default:
      return {};
  }
}
