/** A tag whose owner accepts its followers, in two browsers: found and asked for by keyboard, and accepted. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { focusedElement, inspectPage, tabTo } from '../../browser/page-checks.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  missing_browser,
  openTwoPeople,
  topLink,
  useBrowserWindows,
  visit,
  waitForHome,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'following in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
  });

  it('requests to follow a tag by keyboard alone, and the owner accepts', async () => {
    await visit(ada, `${service.url}/app/tags`);
    await ada.getByLabel('Tag name').fill('jazz');
    await ada.getByLabel('Title').fill('Evenings of jazz');
    await ada.getByLabel('Who may follow').selectOption('approval');
    await ada.getByRole('button', { name: 'Create tag' }).click();
    await ada.getByText('Created *jazz.').waitFor();

    await visit(ben, `${service.url}/app/`);
    await waitForHome(ben);
    await tabTo(ben, /^Skip to the content$/, 1);
    await tabTo(ben, /^Find tags$/);
    await ben.keyboard.press('Enter');
    await expect.poll(async () => (await focusedElement(ben)).name).toBe('Search people and tags');
    await ben.keyboard.type('*jaz');
    await ben.getByRole('button', { name: 'Ask to follow *jazz' }).waitFor();
    await tabTo(ben, /^Ask to follow \*jazz$/);
    await ben.keyboard.press('Enter');
    await ben.getByRole('dialog').waitFor();
    expect((await focusedElement(ben)).name).toBe('Message to the owner');
    await ben.keyboard.press('Escape');
    await expect.poll(async () => (await focusedElement(ben)).name).toBe('Ask to follow *jazz');
    await ben.keyboard.press('Enter');
    await ben.keyboard.type('I play the bass.');
    await tabTo(ben, /^Ask$/);
    await ben.keyboard.press('Enter');
    await expect.poll(async () => (await focusedElement(ben)).name).toBe('Requested *jazz: cancel the request');

    await areaLink(ada, /1 waiting/).click();
    await ada.getByRole('link', { name: /Requests/ }).click();
    await ada.getByText('I play the bass.').waitFor();
    expect(await inspectPage(ada, 'requests-waiting', 'each')).toEqual([]);
    await ada.getByRole('button', { name: 'Decline ben' }).click();
    await ada.getByRole('button', { name: 'Undo ben' }).click();
    await ada.getByRole('button', { name: 'Accept ben' }).click();
    await ada.getByText('Accepted', { exact: true }).waitFor();
    await areaLink(ada, /^People$/).waitFor();

    await ben.getByRole('button', { name: /^Following \*jazz/ }).waitFor();
    await areaLink(ben, /^Home$/).click();
    await topLink(ben, /1 unread/).waitFor();
  });
});
