/**
 * What every payment adapter must do: open a checkout page, report the payment by a signed request, and end
 * subscriptions.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment, PaymentRequest } from '../../engines/ports.ts';

/** The other side of an adapter under test. */
export type PaymentTarget = {
  payment: Payment;
  /** What the provider sends when a user has paid on a page, or has left it. */
  pay(session_id: string, user_id: string): PaymentRequest;
  leave(session_id: string, user_id: string): PaymentRequest;
  close(): Promise<void>;
};

const buyer = { user_id: 'usr_1', email: 'alice@example.org', return_url: 'https://asterism.test/app/settings/plan' };

/** Declares the suite's tests. @param open starts the target, once */
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

  it('opens a separate page for each buyer', async () => {
    const [first, second] = [await target.payment.openCheckout(buyer), await target.payment.openCheckout(buyer)];
    expect(first.session_id).not.toBe(second.session_id);
    expect(new URL(first.checkout_url).href).toBeTruthy();
    expect(first.expires_at.getTime()).toBeGreaterThan(Date.now());
  });

  it('reports the user, the subscription and its end after a payment', async () => {
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

  it('reports a page that was left, and creates no subscription', async () => {
    const { session_id } = await target.payment.openCheckout(buyer);
    expect(await target.payment.receive(target.leave(session_id, buyer.user_id))).toEqual({
      checkout: { session_id, state: 'cancelled' },
    });
  });

  it('rejects a request that is altered, unsigned, or signed with another key', async () => {
    const { session_id } = await target.payment.openCheckout(buyer);
    const request = target.pay(session_id, buyer.user_id);
    for (const bad of [
      { ...request, raw_body: request.raw_body.replace(session_id, 'cs_test_other') },
      { ...request, signature: '' },
      { ...request, signature: request.signature.replace(/[0-9a-f]{8}$/, '00000000') },
    ])
      expect(await target.payment.receive(bad)).toBeUndefined();
  });

  it('cancels a subscription at the end of the period or at once, and repeatedly without harm', async () => {
    const { subscription } = await buy();
    const leaving = await target.payment.cancel(subscription, 'period_end');
    expect(leaving).toMatchObject({ state: 'active', cancel_at_period_end: true });
    expect(await target.payment.read(leaving)).toMatchObject({ state: 'active', cancel_at_period_end: true });
    const gone = await target.payment.cancel(leaving, 'now');
    expect(gone.state).toBe('ended');
    expect((await target.payment.cancel(gone, 'now')).state).toBe('ended');
    expect((await target.payment.read(gone)).state).toBe('ended');
  });

  it('takes back a cancellation before the end of the period only, and repeatedly without harm', async () => {
    const { subscription } = await buy();
    const leaving = await target.payment.cancel(subscription, 'period_end');
    const back = await target.payment.resume(leaving);
    expect(back).toMatchObject({ state: 'active', cancel_at_period_end: false });
    expect(await target.payment.resume(back)).toMatchObject({ state: 'active', cancel_at_period_end: false });
    expect(await target.payment.read(back)).toMatchObject({ state: 'active', cancel_at_period_end: false });
    const gone = await target.payment.cancel(back, 'now');
    expect((await target.payment.resume(gone)).state).toBe('ended');
  });

  it('opens the page of a subscriber', async () => {
    const { subscription_id } = (await buy()).subscription;
    const { portal_url } = await target.payment.openPortal({ subscription_id, return_url: buyer.return_url });
    expect(new URL(portal_url).href).toContain(subscription_id.replace(/^sub_/, ''));
  });

  it('ends a page, also one that is paid or has ended', async () => {
    const { session_id } = await target.payment.openCheckout(buyer);
    await target.payment.expireCheckout(session_id);
    await target.payment.expireCheckout(session_id);
    const { session_id: paid_id, subscription } = await buy();
    await target.payment.expireCheckout(paid_id);
    expect((await target.payment.read(subscription)).state).toBe('active');
  });
}
