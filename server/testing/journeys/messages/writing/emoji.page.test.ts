/** Emoji in messages: picked, completed after a colon, and in reactions. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../../browser/page-checks.ts';
import { type Service } from '../../../running/running-service.ts';
import {
  missing_browser,
  openTouchPhone,
  openTwoPeople,
  sessionOf,
  useBrowserWindows,
  visit,
} from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'emoji in messages', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
  });

  const idOf = async (page: Page) => (await service.call('GET /me', await sessionOf(page))).body.id as string;
  const input = (page: Page) => page.getByLabel('Message', { exact: true });
  const messageOf = (page: Page, text: string | RegExp) =>
    page.getByRole('log').getByRole('listitem').filter({ hasText: text }).first();
  const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  async function openChat(page: Page): Promise<void> {
    await visit(page, `${service.url}/app/messages/${thread_id}`);
    await messageOf(page, 'The pier at nine?').waitFor();
    await input(page).waitFor();
  }
  /** Stores the skin tone of a reader as the picker does, or none. */
  async function storeTone(page: Page, tone: string | null): Promise<void> {
    const [key, value] = [`asterism.kept.${await idOf(page)}.skin tone`, JSON.stringify(tone)];
    await page.evaluate(tone ? `localStorage.setItem('${key}', '${value}')` : `localStorage.removeItem('${key}')`);
  }

  it('inserts an emoji at the caret, found by its name, and returns to the field', async () => {
    await openChat(ada);
    await input(ada).fill('Good night!');
    await input(ada).press('ArrowLeft');
    await ada.getByRole('button', { name: 'Emoji', exact: true }).click();
    const picker = ada.getByRole('dialog', { name: 'Emoji' });
    await picker.getByRole('gridcell', { name: 'Grinning face', exact: true }).waitFor();
    expect(await inspectPage(ada, 'chat-emoji')).toEqual([]);
    expect((await focusedElement(ada)).name).toBe('Search emoji');
    // Enter follows at once, before the results do.
    await ada.keyboard.type('rainbow');
    await ada.keyboard.press('Enter');
    await picker.waitFor({ state: 'detached' });
    expect(await input(ada).inputValue()).toBe('Good night🌈!');
    await ada.keyboard.type(' Bye');
    expect(await input(ada).inputValue()).toBe('Good night🌈 Bye!');
    // It can be undone like typed text.
    await ada.keyboard.press('Control+z');
    await ada.keyboard.press('Control+z');
    expect(await input(ada).inputValue()).toBe('Good night!');
    await input(ada).fill('');
  });

  it('shows a message of a few emoji large', async () => {
    await openChat(ada);
    await input(ada).fill('🌈👋🏻');
    await input(ada).press('Enter');
    await messageOf(ada, '🌈👋🏻').waitFor();
    expect(await ada.evaluate(`getComputedStyle(document.querySelector('.msg-emoji')).fontSize`)).toBe('40px');
  });

  it('remembers the latest emoji and the skin tone, and Escape closes only the picker', async () => {
    await openChat(ada);
    await storeTone(ada, null);
    await ada.getByRole('button', { name: 'Emoji', exact: true }).click();
    const picker = ada.getByRole('dialog', { name: 'Emoji' });
    await picker.getByLabel('Search emoji').fill('rainbow');
    await ada.keyboard.press('Enter');
    await picker.waitFor({ state: 'detached' });
    await input(ada).fill('');
    await messageOf(ada, 'The pier at nine?').hover();
    await ada.getByRole('button', { name: 'More about “The pier at nine?”' }).click();
    await ada.getByRole('menuitem', { name: 'Reply' }).click();
    await ada.getByRole('button', { name: 'Emoji', exact: true }).click();
    await picker
      .getByRole('group', { name: 'Recently used' })
      .getByRole('button', { name: 'Rainbow', exact: true })
      .waitFor();
    await picker.getByRole('button', { name: 'Change skin tone (Light skin tone)' }).click();
    await picker.getByLabel('Search emoji').fill('waving');
    await picker.getByRole('gridcell', { name: 'Waving hand' }).getByText('👋🏻').waitFor();
    await ada.keyboard.press('Escape');
    await picker.waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Cancel reply' }).waitFor();
    expect((await focusedElement(ada)).name).toBe('Message');
    await ada.getByRole('button', { name: 'Cancel reply' }).click();
    await ada.reload();
    await ada.getByRole('button', { name: 'Emoji', exact: true }).click();
    await picker.getByLabel('Search emoji').fill('waving');
    await picker.getByRole('gridcell', { name: 'Waving hand' }).getByText('👋🏻').waitFor();
    await ada.getByRole('button', { name: 'Emoji', exact: true }).click();
    await picker.waitFor({ state: 'detached' });
  });

  it('reacts with any emoji', async () => {
    await openChat(ada);
    await messageOf(ada, 'The pier at nine?').hover();
    await ada.getByRole('button', { name: 'More about “The pier at nine?”' }).click();
    await ada.getByRole('menuitem', { name: 'More emoji' }).click();
    const picker = ada.getByRole('dialog', { name: 'Emoji' });
    await picker.getByLabel('Search emoji').fill('trumpet');
    await picker.getByRole('gridcell', { name: 'Trumpet' }).click();
    await messageOf(ada, 'The pier at nine?').getByRole('button', { name: /🎺/, pressed: true }).waitFor();
    await picker.waitFor({ state: 'detached' });
    expect((await focusedElement(ada)).name).toBe('More about “The pier at nine?”');
  });

  it('has no emoji button on a touch screen, where the menu of a message has all emoji', async () => {
    const phone = await openTouchPhone(windows, service, ben);
    await openChat(phone);
    expect(await phone.getByRole('button', { name: 'Emoji', exact: true }).isVisible()).toBe(false);
    await phone.getByRole('button', { name: 'More about “The pier at nine?”' }).focus();
    await phone.keyboard.press('Enter');
    await phone.getByRole('menuitem', { name: 'More emoji' }).tap();
    const picker = phone.getByRole('dialog', { name: 'Emoji' });
    await picker.getByRole('gridcell', { name: 'Grinning face', exact: true }).waitFor();
    // The keyboard of the phone stays closed.
    expect((await focusedElement(phone)).name).toBe('Emoji');
    await picker.getByRole('gridcell', { name: 'Grinning face', exact: true }).tap();
    await messageOf(phone, 'The pier at nine?').getByRole('button', { name: /😀/, pressed: true }).waitFor();
    await phone.context().close();
  });

  it('completes an emoji after a colon, in the skin tone of the reader, and leaves smileys and times alone', async () => {
    await openChat(ada);
    await storeTone(ada, 'dark');
    await input(ada).pressSequentially('At 10:30 :) :D :pizz');
    await options(ada).filter({ hasText: 'Pizza' }).waitFor();
    expect(await inspectPage(ada, 'emoji-suggestions')).toEqual([]);
    await ada.keyboard.press('Enter');
    expect(await input(ada).inputValue()).toBe('At 10:30 :) :D 🍕 ');
    await ada.keyboard.type(':waving');
    await options(ada).filter({ hasText: 'Waving hand' }).click();
    expect(await input(ada).inputValue()).toBe('At 10:30 :) :D 🍕 👋🏿 ');
    await ada.keyboard.type(':D');
    expect(await options(ada).count()).toBe(0);
    await ada.keyboard.press('Enter');
    await messageOf(ada, 'At 10:30 :) :D 🍕 👋🏿 :D').waitFor();
  });
});
