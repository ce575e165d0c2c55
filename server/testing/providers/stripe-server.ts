/** A mock of Stripe: the part of its REST interface that sells a plan, and signed webhook events. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { PaymentRequest } from '../../engines/ports.ts';

/** The account that the mock accepts. */
export const stripe_account = {
  secret_key: 'sk_test_1',
  webhook_secret: 'whsec_of_a_test',
  price: 'price_1',
};

type Session = {
  id: string;
  object: string;
  url: string;
  form: URLSearchParams;
  expires_at: number;
  status: 'open' | 'complete' | 'expired';
};
type Subscription = {
  id: string;
  object: string;
  customer: string;
  status: string;
  cancel_at_period_end: boolean;
  metadata: Record<string, string>;
  items: { data: { current_period_end: number }[] };
};

const month_s = 30 * 86_400;

/** Starts the mock server. Received requests are in `requests`. */
export async function startStripe(now: () => Date) {
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const requests: string[] = [];
  let is_down = false;
  const now_s = () => Math.floor(now().getTime() / 1000);

  function open(form: URLSearchParams): Session {
    const id = `cs_test_${sessions.size + 1}`;
    const url = `https://checkout.stripe.test/${id}`;
    const session = {
      id,
      object: 'checkout.session',
      url,
      form,
      expires_at: now_s() + 86_400,
      status: 'open' as const,
    };
    sessions.set(id, session);
    return session;
  }

  function answer(method: string, path: string, form: URLSearchParams): object | undefined {
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const { form: _, ...session } = open(form);
      return session;
    }
    if (method === 'POST' && path === '/v1/billing_portal/sessions') {
      const customer = form.get('customer') ?? '';
      return { id: 'bps_1', object: 'billing_portal.session', url: `https://billing.stripe.test/${customer}` };
    }
    const [, session_id = '', act] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path) ?? [];
    const session = sessions.get(session_id);
    if (session) {
      if (act && session.status !== 'open') return undefined;
      if (act) session.status = 'expired';
      return { id: session.id, object: session.object, status: session.status };
    }
    const subscription = subscriptions.get(path.replace('/v1/subscriptions/', ''));
    if (!subscription) return undefined;
    if (method === 'DELETE') subscription.status = 'canceled';
    if (method === 'POST') subscription.cancel_at_period_end = form.get('cancel_at_period_end') === 'true';
    return subscription;
  }

  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request);
    requests.push(`${request.method} ${request.url}`);
    const found =
      request.headers.authorization === `Bearer ${stripe_account.secret_key}` && !is_down
        ? answer(request.method ?? '', request.url ?? '', new URLSearchParams(body))
        : undefined;
    const status = is_down ? 500 : found ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(JSON.stringify(found ?? { error: { type: 'invalid_request_error', message: 'no such thing' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** An event as Stripe signs it, with the current time by default. */
  function signEvent(type: string, object: object, timestamp = Math.floor(Date.now() / 1000)): PaymentRequest {
    const raw_body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
    const secret = stripe_account.webhook_secret;
    return { raw_body, signature: Stripe.webhooks.generateTestHeaderString({ payload: raw_body, secret, timestamp }) };
  }

  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests,
    sessions,
    subscriptions,
    signEvent: signEvent,
    /** Pays on the page of a session. */
    pay(session_id: string): PaymentRequest {
      const session = sessions.get(session_id);
      const form = session?.form ?? new URLSearchParams();
      if (session?.status === 'expired') throw new Error(`The page ${session_id} has expired.`);
      if (session) session.status = 'complete';
      const id = session_id.replace('cs_', 'sub_');
      const subscription: Subscription = subscriptions.get(id) ?? {
        id,
        object: 'subscription',
        customer: id.replace('sub_', 'cus_'),
        status: 'active',
        cancel_at_period_end: false,
        metadata: { user_id: form.get('subscription_data[metadata][user_id]') ?? '' },
        items: { data: [{ current_period_end: now_s() + month_s }] },
      };
      subscriptions.set(id, subscription);
      return signEvent('checkout.session.completed', { id: session_id, subscription: id, payment_status: 'paid' });
    },
    leave(session_id: string): PaymentRequest {
      const session = sessions.get(session_id);
      if (session) session.status = 'expired';
      return signEvent('checkout.session.expired', { id: session_id });
    },
    /** Fails every request from now on, or stops failing them. */
    setDown(down: boolean): void {
      is_down = down;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
