/** The lasting room of a tag: created, shared, entered by the first person, joined by others, and removed. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import type { Service } from '../../running/running-service.ts';
import { areaLink, useBrowserWindows, createTag, openTwoPeople, missing_browser } from '../../browser/windows.ts';

describeStory(missing_browser, 'the lasting room of a tag', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let link = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const room = (page: Page) => page.getByRole('region', { name: 'Room', exact: true });
  const openTag = async (page: Page) => {
    await page.goto(`${service.url}/app/t/jazz`);
    await page.getByRole('link', { name: /^(Change this tag|Room and followers)$/ }).click();
  };

  it('is created by the owner of the tag, who chooses who may join, and shares its link', async () => {
    await createTag(ada, 'jazz');
    await openTag(ada);
    await room(ada).getByRole('button', { name: 'Create a room' }).click();
    await room(ada).getByText('No one is here yet').waitFor();
    await room(ada).getByRole('button', { name: 'Who can join: Followers of the tag' }).click();
    await ada.getByRole('menuitemradio', { name: 'Everyone who sees the tag' }).click();
    await room(ada).getByRole('button', { name: 'Who can join: Everyone who sees the tag' }).waitFor();
    await room(ada).getByRole('button', { name: 'People without an account: No guests' }).click();
    await ada.getByRole('menuitemradio', { name: 'Guests ask to join' }).click();
    await room(ada).getByRole('button', { name: 'People without an account: Guests ask to join' }).waitFor();
    expect(await inspectPage(ada, 'tag-room', 'each')).toEqual([]);
    await room(ada).getByRole('button', { name: 'Share' }).click();
    const sheet = ada.getByRole('dialog', { name: 'The room of *jazz' });
    await sheet.getByRole('img', { name: 'QR code that opens the room of *jazz' }).waitFor();
    link = await sheet.getByLabel('Address').inputValue();
    expect(link).toMatch(new RegExp(`^${service.url}/j/[a-z]{3}-[a-z]{4}-[a-z]{3}$`));
    await ada.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('is entered by the first person, who is shown on the page of the tag and in the list of rooms', async () => {
    await ben.goto(link);
    await ben.getByRole('heading', { name: '*jazz' }).waitFor();
    await ben.getByText(/^No one is here yet\. Join,/).waitFor();
    expect(await inspectPage(ben, 'room-empty', 'each')).toEqual([]);
    await press(ben, 'Join');
    await ben.getByRole('button', { name: 'Leave' }).first().waitFor();
    await room(ada).getByText('In now: ben').waitFor();
    expect(await inspectPage(ada, 'tag-room-live', 'each')).toEqual([]);
    await areaLink(ada, /^Call$/).click();
    await ada
      .getByRole('region', { name: 'Rooms' })
      .getByRole('link', { name: /jazz.*In now: ben/ })
      .click();
    await ada.getByRole('heading', { name: 'ben invites you' }).waitFor();
    await press(ada, 'Join');
    await ada.locator('.tile', { hasText: 'ben' }).waitFor();
  });

  it('has its owner as the host, and is empty after the call until it is entered again', async () => {
    await press(ada, 'End for all');
    await ada.getByRole('alertdialog').getByRole('button', { name: 'End call' }).click();
    await openTag(ada);
    await room(ada).getByText('No one is here yet').waitFor();
    await room(ada).getByRole('link', { name: 'Join' }).click();
    await press(ada, 'Join');
    await ada.getByRole('button', { name: 'End for all' }).waitFor();
    await openTag(ben);
    await room(ben).getByText('In now: ada').waitFor();
    expect(await room(ben).getByRole('button', { name: 'Remove the room' }).count()).toBe(0);
  });

  it('shows a guest that nobody is in it, and opens no call once it is removed', async () => {
    await press(ada, 'End for all');
    await ada.getByRole('alertdialog').getByRole('button', { name: 'End call' }).click();
    const gina = await windows.open('phone');
    await gina.goto(link);
    await gina.getByText('No one is here yet').waitFor();
    await gina.getByLabel('Your name').fill('Gina');
    await press(gina, 'Ask to join');
    await gina.getByRole('alert').getByText('No one is in this room yet.').waitFor();
    await openTag(ada);
    await room(ada).getByRole('button', { name: 'Remove the room' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await room(ada).getByRole('button', { name: 'Create a room' }).waitFor();
    // A person who was in a call of the room sees that call; others see nothing.
    await ben.goto(link);
    await ben.getByRole('heading', { name: 'This call is over' }).waitFor();
    await gina.reload();
    await gina.getByRole('heading', { name: 'This link needs an account' }).waitFor();
  });
});
