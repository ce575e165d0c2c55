/** Buying the paid plan in the browser: the checkout, its outcomes, and a service that sells none. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { missing_browser, signUp, useBrowserWindows } from '../../browser/windows.ts';
import type { Service } from '../../running/running-service.ts';

describeStory(missing_browser, 'the paid plan', () => {
  let service: Service;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    page = await windows.open('phone');
    await signUp(service, page, 'ada', '+14155550101');
  });

  const upgrade = () => page.getByRole('button', { name: 'Upgrade to Plus' });
  const startCheckout = async () => {
    await upgrade().click();
    await page.waitForURL(/\/console#/);
  };

  it('says when the checkout cannot be opened, and offers it again', async () => {
    await page.goto(`${service.url}/app/settings/plan`);
    const error = { code: 'unavailable', message: 'The payment provider is not responding. Try again later.' };
    await page.route('**/v1/billing/checkout', (route) => route.fulfill({ status: 503, json: { error } }));
    await upgrade().click();
    await page.getByText('The payment provider is not responding. Try again later.').waitFor();
    await page.unroute('**/v1/billing/checkout');
    expect(await upgrade().getAttribute('aria-disabled')).toBe('false');
  });

  it('says that a cancelled checkout was not charged', async () => {
    await startCheckout();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('The checkout was cancelled. You haven’t been charged.').waitFor();
    expect(await inspectPage(page, 'plan-cancelled', 'each')).toEqual([]);
    await upgrade().waitFor();
  });

  it('waits for the confirmation of a payment, and thanks for it', async () => {
    await startCheckout();
    const session_id = page.url().split('#').at(-1);
    // The buyer returns before the provider has reported the payment.
    await page.goto(`${service.url}/app/settings/plan?checkout=paid`);
    await page.getByText(/^Your payment is being confirmed/).waitFor();
    expect(await upgrade().count()).toBe(0);
    expect(await inspectPage(page, 'plan-confirming', 'each')).toEqual([]);
    const settled = await fetch(`${service.url}/console/payments/${session_id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'paid' }),
    });
    expect(settled.status).toBe(200);
    await page.getByText('Thank you. Your upgrade is complete.').waitFor();
    await page.getByText(/^You are on Plus\. It renews on/).waitFor();
  });

  it('takes back a cancellation', async () => {
    await page.getByRole('button', { name: 'Cancel the plan' }).click();
    await page.getByRole('button', { name: 'Cancel Plus' }).click();
    await page.getByText(/^You are on Plus until/).waitFor();
    expect(await page.getByText('Thank you. Your upgrade is complete.').count()).toBe(0);
    expect(await inspectPage(page, 'plan-leaving', 'each')).toEqual([]);
    await page.getByRole('button', { name: 'Keep Plus' }).click();
    await page.getByText(/^You are on Plus\. It renews on/).waitFor();
    await page.getByText('Plus will be renewed.').waitFor();
  });

  it('leads from a failed payment to the page of the provider, and back', async () => {
    await page.getByRole('button', { name: 'Payment and invoices' }).click();
    await page.waitForURL(/\/console#sub_/);
    await page.getByRole('button', { name: 'Decline the card' }).click();
    await page.getByText(/^Your last payment failed and will be tried again\./).waitFor();
    expect(await inspectPage(page, 'plan-past-due', 'each')).toEqual([]);
    await page.getByRole('button', { name: 'Update payment method' }).click();
    await page.waitForURL(/\/console#sub_/);
    await page.getByRole('button', { name: 'Pay again' }).click();
    await page.getByText(/^You are on Plus\. It renews on/).waitFor();
    await page.getByRole('button', { name: 'Payment and invoices' }).waitFor();
  });

  it('offers no upgrade where none is sold', async () => {
    const visitor = await windows.open('desk');
    await signUp(service, visitor, 'ben', '+14155550102');
    await visitor.route('**/v1/billing/entitlements', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), upgrade: null } });
    });
    await visitor.goto(`${service.url}/app/settings/plan`);
    await visitor.getByText('You are on the free plan.').waitFor();
    expect(await visitor.getByRole('button', { name: 'Upgrade to Plus' }).count()).toBe(0);
  });
});
