/** What people look up about messages: who reacted, who has read one in a group, and the media of a chat. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { messageOf } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
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
import { drawPng } from '../../../samples/media.ts';

describeUnlessMissing(missing_browser, 'details of messages', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let contact: { id: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await requestAs(service, await sessionOf(ben), 'PATCH /me', { reach: { find: 'everyone' } });
    contact = await requestAs(service, await sessionOf(ada), 'POST /contacts', {
      name: 'Ben',
      phones: [{ number: '+14155550102' }],
    });
  });
  /** A new group of both people with a message of ada's, whose chat is open in her window alone. */
  async function openGroup(): Promise<{ id: string }> {
    const [as_ada, as_ben] = [await sessionOf(ada), await sessionOf(ben)];
    const group = await requestAs(service, as_ada, 'POST /groups', { name: 'Pier' });
    await requestAs(service, as_ada, `PUT /groups/${group.id}/members/${contact.id}`);
    const { items } = await requestAs(service, as_ben, 'GET /group-invites');
    await requestAs(service, as_ben, `POST /group-invites/${items[0].id}/accept`);
    await visit(ben, `${service.url}/app/`);
    await requestAs(service, as_ada, `POST /groups/${group.id}/chat`, { body: 'At nine?' });
    await visit(ada, `${service.url}/app/messages/group/${group.id}`);
    await messageOf(ada, 'At nine?').waitFor();
    return group;
  }

  const open = async (page: Page, text: string, act: string) => {
    await messageOf(page, text).hover();
    await page.getByRole('button', { name: `More about “${text}”` }).click();
    await page.getByRole('menuitem', { name: act, exact: true }).click();
  };
  const close = async (page: Page, name: string) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
  };
  const info = (page: Page) => page.getByRole('dialog', { name: 'Message info' });
  /** Waits until the information about ada's message names ben once in a region. */
  const expectBenIn = async (region: string) =>
    expect
      .poll(async () => {
        await open(ada, 'At nine?', 'Info');
        await info(ada).getByRole('listitem').first().waitFor();
        const count = await info(ada).getByRole('region', { name: region }).getByText('ben').count();
        await close(ada, 'Message info');
        return count;
      })
      .toBe(1);

  it('says to whom a message of a group was delivered, and who has read it', async () => {
    const group = await openGroup();
    // A device of Ben's receives it beside another page.
    await expectBenIn('Delivered to');
    await open(ada, 'At nine?', 'Info');
    await info(ada).getByText('Nobody yet.').waitFor();
    await info(ada)
      .getByText(/^Today, \d/)
      .waitFor();
    expect(await inspectPage(ada, 'message-info-delivered')).toEqual([]);
    await close(ada, 'Message info');
    await visit(ben, `${service.url}/app/messages/group/${group.id}`);
    await messageOf(ben, 'At nine?').waitFor();
    await expectBenIn('Read by');
    // Of others' messages there is nothing to know.
    await messageOf(ben, 'At nine?').hover();
    await ben.getByRole('button', { name: 'More about “At nine?”' }).click();
    await ben.getByRole('menuitem', { name: 'Reply' }).waitFor();
    expect(await ben.getByRole('menuitem', { name: 'Info' }).count()).toBe(0);
    await ben.keyboard.press('Escape');
  });

  it('does not say who has read it while receipts are off', async () => {
    const group = await openGroup();
    await visit(ben, `${service.url}/app/messages/group/${group.id}`);
    await expectBenIn('Read by');
    await requestAs(service, await sessionOf(ada), 'PATCH /me', { read_receipts: false });
    await open(ada, 'At nine?', 'Info');
    await info(ada).getByText('You have read receipts off, so you don’t see who has read this.').waitFor();
    await info(ada).getByRole('region', { name: 'Delivered to' }).getByText('ben').waitFor();
    expect(await info(ada).getByRole('region', { name: 'Read by' }).count()).toBe(0);
    await close(ada, 'Message info');
    await requestAs(service, await sessionOf(ada), 'PATCH /me', { read_receipts: true });
  });

  it('names who reacted: beside the pointer, in a sheet, and on a phone when the reaction is held', async () => {
    const group = await openGroup();
    const { items } = await requestAs(service, await sessionOf(ada), `GET /groups/${group.id}/chat`);
    const react = async (page: Page, emoji: string) =>
      requestAs(service, await sessionOf(page), `PUT /groups/${group.id}/chat/${items[0].id}/reaction`, { emoji });
    await react(ada, '🎉');
    await react(ben, '🎉');
    const chip = (page: Page) => messageOf(page, 'At nine?').getByRole('button', { name: /🎉/ });
    await expect.poll(() => chip(ada).textContent()).toBe('🎉2');
    await chip(ada).hover();
    await ada.locator('.reaction-card', { hasText: /ben.*You|You.*ben/ }).waitFor();
    await ada.mouse.move(0, 0);
    await ada.locator('.reaction-card').waitFor({ state: 'detached' });
    await react(ben, '👍');
    await open(ada, 'At nine?', 'Reactions');
    const sheet = (page: Page) => page.getByRole('dialog', { name: 'Reactions' });
    await sheet(ada)
      .getByRole('link', { name: /^ben .*👍/ })
      .waitFor();
    expect(await inspectPage(ada, 'message-reactions')).toEqual([]);
    await sheet(ada).getByRole('button', { name: '🎉 1' }).click();
    await sheet(ada).getByRole('link', { name: /ben/ }).waitFor({ state: 'detached' });
    await sheet(ada).getByRole('link', { name: /^You/ }).waitFor();
    await close(ada, 'Reactions');
    const phone = await openTouchPhone(windows, service, ben);
    await phone.goto(`${service.url}/app/messages/group/${group.id}`);
    await chip(phone).waitFor();
    const { x, y } = (await chip(phone).boundingBox()) ?? { x: 0, y: 0 };
    const touch = await phone.context().newCDPSession(phone);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 10, y: y + 10 }] });
    await sheet(phone).getByRole('link', { name: /^ada/ }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await sheet(phone).getByRole('button', { name: '🎉 1' }).getAttribute('aria-pressed')).toBe('true');
    // Holding is not pressing.
    expect(await chip(ada).textContent()).toBe('🎉1');
    await phone.context().close();
  });

  it('collects the pictures, files and links of a chat', async () => {
    const group = await openGroup();
    const upload = async (name: string, type: string, bytes: Buffer) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
      const { token } = await sessionOf(ben);
      const answer = await fetch(`${service.url}/v1/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      });
      return ((await answer.json()) as { id: string }).id;
    };
    const as_ben = await sessionOf(ben);
    const post = (body: object) => requestAs(service, as_ben, `POST /groups/${group.id}/chat`, body);
    for (const colour of ['teal', 'salmon', 'gold'])
      await post({ file_id: await upload('a.png', 'image/png', await drawPng(80, 60, colour)) });
    await post({ body: 'The plan', file_id: await upload('plan.txt', 'text/plain', Buffer.from('Nine songs')) });
    await post({ body: 'The place: https://example.org/pier and www.example.org/way' });
    const media = ada.getByRole('dialog', { name: 'Media, files and links' });
    await ada.getByRole('button', { name: 'More about Pier' }).click();
    await ada.getByRole('menuitem', { name: 'Media, files and links' }).click();
    await expect.poll(() => media.locator('.media-frame').count()).toBe(3);
    const month = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric' });
    await media.getByRole('heading', { name: month }).waitFor();
    expect(await inspectPage(ada, 'chat-media')).toEqual([]);
    await media.locator('.media-frame').first().click();
    const lightbox = ada.locator('.lightbox');
    await lightbox.getByText('3 of 3').waitFor();
    await ada.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'detached' });
    await media.getByRole('button', { name: 'Files' }).click();
    await media
      .getByText('plan.txt')
      .or(media.getByRole('button', { name: /Download plan\.txt/ }))
      .first()
      .waitFor();
    expect(await inspectPage(ada, 'chat-media-files')).toEqual([]);
    await media.getByRole('button', { name: 'Links' }).click();
    const links = media.getByRole('link');
    await expect.poll(() => links.count()).toBe(2);
    expect(await links.nth(1).getAttribute('href')).toBe('https://www.example.org/way');
    expect(await inspectPage(ada, 'chat-media-links')).toEqual([]);
    await media.getByRole('button', { name: 'Show in chat' }).first().click();
    await media.waitFor({ state: 'detached' });
    await ada.waitForURL(/\?at=chat_/);
    await messageOf(ada, 'The place:').waitFor();
  });

  it('pins messages above the chat for everyone, each of which is shown when it is pressed', async () => {
    const bar = (page: Page) => page.getByRole('region', { name: 'Pinned messages' });
    const group = await openGroup();
    await visit(ben, `${service.url}/app/messages/group/${group.id}`);
    // So many messages that the first one is far above the last one.
    for (let at = 0; at < 12; at++)
      await requestAs(service, await sessionOf(ada), `POST /groups/${group.id}/chat`, {
        body: `Verse ${String(at)}\n\n\nand its end`,
      });
    await messageOf(ada, 'Verse 11').waitFor();
    await open(ada, 'At nine?', 'Pin');
    await bar(ben).getByRole('button', { name: 'Pinned message At nine?' }).waitFor();
    // Ben is no admin of the group.
    expect(await bar(ben).getByRole('button', { name: 'Unpin' }).count()).toBe(0);
    const ends = Array.from({ length: 20 }, (_one, at) => `Line ${String(at)}`);
    for (const body of ends) await requestAs(service, await sessionOf(ben), `POST /groups/${group.id}/chat`, { body });
    await ada.getByRole('button', { name: /new messages|Jump to latest/ }).click();
    await open(ada, 'Line 19', 'Pin');
    await bar(ben).getByRole('button', { name: 'Pinned message 2 of 2 Line 19' }).click();
    const first = bar(ben).getByRole('button', { name: 'Pinned message 1 of 2 At nine?' });
    for (const page of [ada, ben]) expect(await inspectPage(page, 'chat-pinned')).toEqual([]);
    await first.click();
    await expect.poll(async () => (await messageOf(ben, 'At nine?').boundingBox())?.y ?? 0).toBeGreaterThan(100);
    // What is edited and deleted is so above the chat too.
    const { items } = await requestAs(service, await sessionOf(ada), `GET /messages/pinned?group_id=${group.id}`);
    const [newest, pinned_first] = items as { id: string }[];
    const path = `/groups/${group.id}/chat/${pinned_first?.id}`;
    await requestAs(service, await sessionOf(ada), `PATCH ${path}`, { body: 'At ten?' });
    await bar(ben).getByText('At ten?').or(bar(ben).getByText('Line 19')).first().waitFor();
    await requestAs(service, await sessionOf(ben), `DELETE /groups/${group.id}/chat/${newest?.id}`);
    await bar(ben).getByRole('button', { name: 'Pinned message At ten?' }).waitFor();
    await bar(ada).getByRole('button', { name: 'Unpin' }).click();
    for (const page of [ada, ben]) await bar(page).waitFor({ state: 'detached' });
  });
});
