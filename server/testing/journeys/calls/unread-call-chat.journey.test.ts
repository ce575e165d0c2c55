/** The badge of the chat of a call that is hidden: more messages than one page, and messages that are not new. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { missing_browser, openTwoPeople, sessionOf, useBrowserWindows } from '../../browser/windows.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';

/** More than a page of the chat of a call, which has 100. */
const sent = 130;

describeUnlessMissing(missing_browser, 'the badge of the chat of a call', () => {
  let service: Service;
  let ada: Page;
  let ben: { token: string };
  let join_code: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    const opened = await openTwoPeople(windows, { ada: 'phone', ben: 'desk' });
    ({ service, ada } = opened);
    ben = await sessionOf(opened.ben);
    ({ join_code } = await requestAs(service, await sessionOf(ada), 'POST /calls', { to: [], privacy: 'public' }));
    // What was sent before is not new.
    const loaded = isRead();
    await ada.goto(`${service.url}/app/call/${join_code}`);
    await loaded;
    await opened.ben.goto(`${service.url}/app/j/${join_code}`);
    await opened.ben.getByRole('button', { name: 'Join', exact: true }).click();
    await ada.locator('.tile', { hasText: 'ben' }).waitFor();
  });

  const isRead = () => ada.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith(`${join_code}/chat`));
  const send = (by: { token: string }, body: string) =>
    requestAs(service, by, `POST /calls/${join_code}/chat`, { body });
  const chat = () => ada.getByRole('button', { name: /^Show chat/ });
  const isCounted = (count: number) =>
    expect.poll(() => chat().getAttribute('aria-label')).toBe(`Show chat, ${count} new messages`);

  it('shows 99+, and has the exact number for screen readers', async () => {
    for (let at = 1; at <= sent; at += 1) await send(ben, `Line ${at}`);
    await isCounted(sent);
    expect(await chat().locator('.badge').innerText()).toMatch(/^99\+/);
  });

  it('stays exact when the reader returns to the window, for which the chat is read again', async () => {
    const read_again = isRead();
    // A minute later, when what was read may be old.
    await ada.evaluate(`{ const now = Date.now; Date.now = () => now() + 60_000; }`);
    await ada.evaluate("void dispatchEvent(new Event('visibilitychange'))");
    await read_again;
    const { id } = await send(ben, 'Are you there?');
    await isCounted(sent + 1);
    // What is deleted is not new any more, and what she writes on another device never was.
    await requestAs(service, ben, `DELETE /calls/${join_code}/chat/${id}`);
    await isCounted(sent);
    await send(await sessionOf(ada), 'Yes, I am');
    await send(ben, 'Good');
    await isCounted(sent + 1);
  });

  it('is gone once the chat is shown', async () => {
    await chat().click();
    await ada.getByRole('button', { name: 'Hide chat', exact: true }).waitFor();
    await ada.getByRole('button', { name: 'Hide chat', exact: true }).click();
    await ada.getByRole('button', { name: 'Show chat', exact: true }).waitFor();
  });
});
