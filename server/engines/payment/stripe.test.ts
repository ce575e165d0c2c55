import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPayment } from '../../testing/contracts/payment.contract.ts';
import { startStripe, stripe_account } from '../../testing/providers/stripe-server.ts';
import { createStripePayment } from './stripe.ts';

const now = () => new Date();

async function open() {
  const stripe = await startStripe(now);
  const payment = createStripePayment({ ...stripe_account, now, base_url: stripe.base_url, timeout_ms: 2000 });
  return { stripe, payment, pay: stripe.pay, leave: stripe.leave, close: () => stripe.close() };
}

describe('Stripe payment', () => {
  testPayment(open);

  describe('with the Stripe API', () => {
    let world: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    const buyer = { user_id: 'usr_1', email: null, return_url: 'https://asterism.test/app/settings/plan' };

    it('requests a checkout of the configured price with the account as client reference', async () => {
      const { session_id } = await world.payment.openCheckout({ ...buyer, email: 'alice@example.org' });
      expect(Object.fromEntries(world.stripe.sessions.get(session_id)?.form ?? [])).toEqual({
        mode: 'subscription',
        'line_items[0][price]': 'price_1',
        'line_items[0][quantity]': '1',
        client_reference_id: 'usr_1',
        'subscription_data[metadata][user_id]': 'usr_1',
        success_url: 'https://asterism.test/app/settings/plan?checkout=paid',
        cancel_url: 'https://asterism.test/app/settings/plan?checkout=cancelled',
        customer_email: 'alice@example.org',
      });
    });

    it('reads the current state of a subscription for an outdated webhook', async () => {
      const { session_id } = await world.payment.openCheckout(buyer);
      world.stripe.pay(session_id);
      const subscription = [...world.stripe.subscriptions.values()].at(-1);
      if (!subscription) throw new Error('nothing was bought');
      const old = structuredClone(subscription);
      for (const [status, state] of [
        ['past_due', 'past_due'],
        ['trialing', 'active'],
        ['unpaid', 'ended'],
        ['canceled', 'ended'],
        ['a_state_of_tomorrow', 'ended'],
      ]) {
        subscription.status = status ?? '';
        const event = await world.payment.receive(world.stripe.signEvent('customer.subscription.updated', old));
        expect(event?.subscription).toMatchObject({ state });
      }
    });

    it('ignores pending payments, other events and subscriptions of other shops', async () => {
      const { session_id } = await world.payment.openCheckout(buyer);
      const { signEvent: tell } = world.stripe;
      const pending = { id: session_id, subscription: 'sub_x', payment_status: 'unpaid' };
      expect(await world.payment.receive(tell('checkout.session.completed', pending))).toEqual({});
      expect(await world.payment.receive(tell('invoice.paid', { id: 'in_1' }))).toEqual({});
      const foreign = { id: 'sub_of_another_shop', metadata: {} };
      expect(await world.payment.receive(tell('customer.subscription.updated', foreign))).toEqual({});
    });

    it('ignores a webhook older than five minutes', async () => {
      const late_s = Math.floor(Date.now() / 1000) - 301;
      expect(await world.payment.receive(world.stripe.signEvent('invoice.paid', {}, late_s))).toBeUndefined();
    });

    it('rejects a webhook when Stripe is unavailable, so that it is sent again', async () => {
      const { session_id } = await world.payment.openCheckout(buyer);
      const webhook = world.stripe.pay(session_id);
      world.stripe.setDown(true);
      await expect(world.payment.receive(webhook)).rejects.toThrow();
      await expect(world.payment.openCheckout(buyer)).rejects.toThrow();
      world.stripe.setDown(false);
      expect((await world.payment.receive(webhook))?.checkout).toEqual({ session_id, state: 'paid' });
    });
  });
});
