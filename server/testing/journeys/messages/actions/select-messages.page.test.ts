/** Several messages at once: selected, forwarded, copied and deleted, with a pointer, by keyboard and by touch. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chatLink, messageOf, openEmptiedThread, openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import {
  useBrowserWindows,
  openTouchPhone,
  openTwoPeople,
  missing_browser,
  sessionOf,
  visit,
} from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'selecting several messages', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
  });
  /** The chat of both people in both windows, with these four messages alone. */
  async function openChat(): Promise<void> {
    await openEmptiedThread(service, ada, ben, thread_id, 'One from Ada');
    for (const [page, body] of [
      [ada, 'Two from Ada'],
      [ada, 'Three from Ada'],
      [ben, 'One from Ben'],
    ] as const)
      await requestAs(service, await sessionOf(page), `POST /dm/threads/${thread_id}/chat`, { body });
    for (const page of [ada, ben]) await messageOf(page, 'One from Ben').waitFor();
  }

  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected messages' });
  const box = (page: Page, text: string) => page.getByRole('log').getByRole('checkbox', { name: text });
  const select = async (page: Page, text: string) => {
    await messageOf(page, text).hover();
    await page.getByRole('button', { name: `More about “${text}”` }).click();
    await page.getByRole('menuitem', { name: 'Select', exact: true }).click();
    await bar(page).getByText('1 selected').waitFor();
  };
  const textsOf = async (path: string) => {
    const { items } = await requestAs(service, await sessionOf(ada), `GET ${path}`);
    return (items as { body: string }[]).map(({ body }) => body);
  };
  const ended = (page: Page) => bar(page).waitFor({ state: 'detached' });

  it('begins in the menu, continues with presses on whole rows, and ends with Escape', async () => {
    await openChat();
    await select(ada, 'Two from Ada');
    await expect.poll(async () => (await focusedElement(ada)).name).toBe('You: Two from Ada');
    // The row is one hit area, also where the bubble is, and beside it.
    await messageOf(ada, 'One from Ben').locator('.msg').click({ force: true });
    await bar(ada).getByText('2 selected').waitFor();
    const line = messageOf(ada, 'Three from Ada').locator('.pick');
    await line.click({ position: { x: 200, y: 10 }, force: true });
    await bar(ada).getByText('3 selected').waitFor();
    expect(await box(ada, 'ben: One from Ben').isChecked()).toBe(true);
    expect(await inspectPage(ada, 'messages-selected')).toEqual([]);
    await ada.keyboard.press('Escape');
    await ended(ada);
    await expect.poll(async () => (await focusedElement(ada)).name).toBe('More about “Two from Ada”');
    await ada.getByRole('button', { name: 'Call ben' }).waitFor();
  });

  it('works by keyboard alone, and ends with the last message that is taken out', async () => {
    await openChat();
    await select(ada, 'Two from Ada');
    await ada.keyboard.press('Tab');
    expect((await focusedElement(ada)).name).toBe('You: Three from Ada');
    await ada.keyboard.press('Space');
    await bar(ada).getByText('2 selected').waitFor();
    await ada.keyboard.press('Space');
    await bar(ada).getByText('1 selected').waitFor();
    await ada.keyboard.press('Shift+Tab');
    await ada.keyboard.press('Space');
    await ended(ada);
  });

  it('begins with a Ctrl-click beside a message, and copies with times and authors', async () => {
    await openChat();
    await ada.evaluate(
      `navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve(); }`,
    );
    const line = messageOf(ada, 'One from Ada').locator('.msg-line');
    await line.click({ position: { x: 20, y: 12 }, modifiers: ['Control'] });
    await bar(ada).getByText('1 selected').waitFor();
    await bar(ada).getByRole('button', { name: 'Copy' }).click();
    await ended(ada);
    expect(await ada.evaluate('globalThis.copied')).toBe('One from Ada');
    await line.click({ position: { x: 20, y: 12 }, modifiers: ['Control'] });
    await box(ada, 'ben: One from Ben').check();
    await bar(ada).getByRole('button', { name: 'Copy' }).click();
    const lines = String(await ada.evaluate('globalThis.copied')).split('\n');
    expect(lines.map((one) => one.replace(/^\[.*\d.*\] /, ''))).toEqual(['You: One from Ada', 'ben: One from Ben']);
    expect(lines.every((one) => /^\[.*\d.*\] /.test(one))).toBe(true);
  });

  it('forwards in the order of the chat, whatever the order of the presses', async () => {
    await openChat();
    const group = await requestAs(service, await sessionOf(ada), 'POST /groups', { name: 'Pier' });
    await select(ada, 'One from Ben');
    await box(ada, 'You: Two from Ada').check();
    await bar(ada).getByRole('button', { name: 'Forward' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Forward to' });
    await sheet.getByText('2 messages').waitFor();
    // Closed without a choice, it leaves the selection.
    await ada.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await bar(ada).getByText('2 selected').waitFor();
    await bar(ada).getByRole('button', { name: 'Forward' }).click();
    await sheet.getByRole('checkbox', { name: 'Pier' }).check();
    await sheet.getByRole('button', { name: 'Send to 1' }).click();
    await ada.getByText('Forwarded to Pier.').waitFor();
    await ended(ada);
    await expect.poll(() => textsOf(`/groups/${group.id}/chat`)).toEqual(['One from Ben', 'Two from Ada']);
  });

  it('deletes only what the reader may delete', async () => {
    await openChat();
    await select(ada, 'Three from Ada');
    await box(ada, 'ben: One from Ben').check();
    const remove = bar(ada).getByRole('button', { name: 'Delete' });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await remove.click({ force: true });
    await ada.getByText('You can only delete your own messages.').waitFor();
    await box(ada, 'ben: One from Ben').uncheck();
    await box(ada, 'You: Two from Ada').check();
    await remove.click();
    await ada.getByRole('alertdialog', { name: 'Delete 2 messages?' }).getByRole('button', { name: 'Delete' }).click();
    await ended(ada);
    await expect.poll(() => messageOf(ben, 'Message deleted').count()).toBe(2);
    await messageOf(ben, 'One from Ada').waitFor();
  });

  it('drops a message that is deleted meanwhile', async () => {
    await openChat();
    await select(ada, 'One from Ada');
    await box(ada, 'ben: One from Ben').check();
    await select(ben, 'One from Ben');
    await bar(ben).getByRole('button', { name: 'Delete' }).click();
    await ben.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await bar(ada).getByText('1 selected').waitFor();
    await bar(ada).getByRole('button', { name: 'Stop selecting' }).click();
    await ended(ada);
  });

  it('begins with a long press beside a message on a touch screen, and in a group its owner deletes any', async () => {
    const as_ben = await sessionOf(ben);
    await requestAs(service, as_ben, 'PATCH /me', { reach: { find: 'everyone' } });
    const as_ada = await sessionOf(ada);
    const group = await requestAs(service, as_ada, 'POST /groups', { name: 'Quay' });
    await visit(ada, `${service.url}/app/messages`);
    const contact = await requestAs(service, as_ada, 'POST /contacts', {
      name: 'Ben',
      phones: [{ number: '+14155550102' }],
    });
    await requestAs(service, as_ada, `PUT /groups/${group.id}/members/${contact.id}`);
    const { items } = await requestAs(service, as_ben, 'GET /group-invites');
    await requestAs(service, as_ben, `POST /group-invites/${items[0].id}/accept`);
    await requestAs(service, as_ben, `POST /groups/${group.id}/chat`, { body: 'Written by Ben' });
    const phone = await openTouchPhone(windows, service, ada);
    await phone.goto(`${service.url}/app/messages/group/${group.id}`);
    const line = messageOf(phone, 'Written by Ben').locator('.msg-line');
    await line.waitFor();
    const { x, y, width } = (await line.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const touch = await phone.context().newCDPSession(phone);
    const touchPoints = [{ x: x + width - 12, y: y + 12 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await bar(phone).getByText('1 selected').waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await box(phone, 'ben: Written by Ben').isChecked()).toBe(true);
    expect(await inspectPage(phone, 'messages-selected-phone')).toEqual([]);
    await bar(phone).getByRole('button', { name: 'Delete' }).tap();
    await phone.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap();
    await messageOf(phone, 'Message deleted').waitFor();
    // The phone shows it before the service knows.
    await chatLink(ada, /^Quay .*Message deleted/).waitFor();
    await phone.context().close();
  });
});
