/** What every seller of the plan does: opens a page, tells of the payment by a signed word, and ends what it sold. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment, PaymentRequest } from '../../engines/ports.ts';

/** The other side of an adapter under test. */
export type PaymentTarget = {
  payment: Payment;
  /** What the provider says when somebody has paid on a page, or has left it. */
  pay(session_id: string, user_id: string): PaymentRequest;
  leave(session_id: string, user_id: string): PaymentRequest;
  close(): Promise<void>;
};

const buyer = { user_id: 'usr_1', email: 'alice@example.org', return_url: 'https://asterism.test/app/settings/plan' };

/** Declares the suite's tests. */
export function testPayment(open: () => Promise<PaymentTarget>): void {
  let target: PaymentTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.payment.close();
    await target.close();
  });

  async function buy() {
    const { session_id } = await target.payment.openCheckout(buyer);
    const event = await target.payment.receive(target.pay(session_id, buyer.user_id));
    if (!event?.subscription) throw new Error('nothing was bought');
    return { session_id, subscription: event.subscription, checkout: event.checkout };
  }

  it('opens a page of its own for each buyer', async () => {
    const [one, other] = [await target.payment.openCheckout(buyer), await target.payment.openCheckout(buyer)];
    expect(one.session_id).not.toBe(other.session_id);
    expect(new URL(one.checkout_url).href).toBeTruthy();
    expect(one.expires_at.getTime()).toBeGreaterThan(Date.now());
  });

  it('tells of a payment: whose, which, and until when', async () => {
    const { session_id, subscription, checkout } = await buy();
    expect(checkout).toEqual({ session_id, state: 'paid' });
    expect(subscription).toMatchObject({ user_id: buyer.user_id, state: 'active', cancel_at_period_end: false });
    expect(subscription.current_period_end.getTime()).toBeGreaterThan(Date.now());
    const again = await target.payment.receive(target.pay(session_id, buyer.user_id));
    expect(again?.subscription).toMatchObject({
      subscription_id: subscription.subscription_id,
      current_period_end: subscription.current_period_end,
    });
  });

  it('tells of a page that was left, and makes no subscription of it', async () => {
    const { session_id } = await target.payment.openCheckout(buyer);
    expect(await target.payment.receive(target.leave(session_id, buyer.user_id))).toEqual({
      checkout: { session_id, state: 'cancelled' },
    });
  });

  it('takes no word that is altered, unsigned, or signed by somebody else', async () => {
    const { session_id } = await target.payment.openCheckout(buyer);
    const told = target.pay(session_id, buyer.user_id);
    for (const bad of [
      { ...told, raw_body: told.raw_body.replace(session_id, 'cs_test_other') },
      { ...told, signature: '' },
      { ...told, signature: told.signature.replace(/[0-9a-f]{8}$/, '00000000') },
    ])
      expect(await target.payment.receive(bad)).toBeUndefined();
  });

  it('ends what it sold, at the end of what is paid or at once, and once more without harm', async () => {
    const { subscription } = await buy();
    const leaving = await target.payment.cancel(subscription, 'period_end');
    expect(leaving).toMatchObject({ state: 'active', cancel_at_period_end: true });
    expect(await target.payment.read(leaving)).toMatchObject({ state: 'active', cancel_at_period_end: true });
    const gone = await target.payment.cancel(leaving, 'now');
    expect(gone.state).toBe('ended');
    expect((await target.payment.cancel(gone, 'now')).state).toBe('ended');
    expect((await target.payment.read(gone)).state).toBe('ended');
  });
}
