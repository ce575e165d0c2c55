import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPayment } from '../../testing/contracts/payment.contract.ts';
import { startStripe, stripe_account } from '../../testing/stripe-server.ts';
import { createStripePayment } from './stripe.ts';

const now = () => new Date();

async function open() {
  const stripe = await startStripe(now);
  const payment = createStripePayment({ ...stripe_account, now, base_url: stripe.base_url, timeout_ms: 2000 });
  return { stripe, payment, pay: stripe.pay, leave: stripe.leave, close: () => stripe.close() };
}

describe('payment by Stripe', () => {
  testPayment(open);

  describe('as Stripe has it', () => {
    let world: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    const buyer = { user_id: 'usr_1', email: null, return_url: 'https://asterism.test/app/settings/plan' };

    it('asks for a subscription to our price, in the account’s name', async () => {
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

    it('reads a subscription anew, whatever an old webhook says of it', async () => {
      const { session_id } = await world.payment.openCheckout(buyer);
      world.stripe.pay(session_id);
      const kept = [...world.stripe.subscriptions.values()].at(-1);
      if (!kept) throw new Error('nothing was bought');
      const old = structuredClone(kept);
      for (const [status, state] of [
        ['past_due', 'past_due'],
        ['trialing', 'active'],
        ['unpaid', 'ended'],
        ['canceled', 'ended'],
        ['a_state_of_tomorrow', 'ended'],
      ]) {
        kept.status = status ?? '';
        const event = await world.payment.receive(world.stripe.tell('customer.subscription.updated', old));
        expect(event?.subscription).toMatchObject({ state });
      }
    });

    it('waits for a payment that takes days, and leaves alone what is not ours', async () => {
      const { session_id } = await world.payment.openCheckout(buyer);
      const { tell } = world.stripe;
      const pending = { id: session_id, subscription: 'sub_x', payment_status: 'unpaid' };
      expect(await world.payment.receive(tell('checkout.session.completed', pending))).toEqual({});
      expect(await world.payment.receive(tell('invoice.paid', { id: 'in_1' }))).toEqual({});
      const foreign = { id: 'sub_of_another_shop', metadata: {} };
      expect(await world.payment.receive(tell('customer.subscription.updated', foreign))).toEqual({});
    });

    it('takes no word that is older than five minutes', async () => {
      const late_s = Math.floor(Date.now() / 1000) - 301;
      expect(await world.payment.receive(world.stripe.tell('invoice.paid', {}, late_s))).toBeUndefined();
    });

    it('rejects, so that it is told again, when the truth cannot be read', async () => {
      const { session_id } = await world.payment.openCheckout(buyer);
      const told = world.stripe.pay(session_id);
      world.stripe.fall(true);
      await expect(world.payment.receive(told)).rejects.toThrow();
      await expect(world.payment.openCheckout(buyer)).rejects.toThrow();
      world.stripe.fall(false);
      expect((await world.payment.receive(told))?.checkout).toEqual({ session_id, state: 'paid' });
    });
  });
});
