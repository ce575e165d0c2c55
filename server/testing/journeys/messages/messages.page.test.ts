/**
 * Two people write to each other in two browsers, on a desktop and on a phone: request, accept, write, show, delete.
 */
import { beforeAll, expect, it } from 'vitest';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { inspectPage, tabTo } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  sessionOf,
  signUp,
  visit,
} from '../../browser/windows.ts';
import { chatLink, messageOf, openThread, writeMessage } from '../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'messages in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let chat: string;
  const windows = useBrowserWindows();
  const as = async (page: Page, route: string, fields?: object) =>
    requestAs(service, await sessionOf(page), route, fields);
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    chat = `${service.url}/app/messages/${await openThread(service, ada, ben)}`;
  });
  /** The chat of both people, open in both windows. */
  async function openChat(): Promise<void> {
    for (const page of [ada, ben]) {
      await visit(page, chat);
      await messageOf(page, 'The pier at nine?').waitFor();
    }
  }
  /** Two more people, who have no chats yet, on a desktop and on a phone. @param digit of their mobile numbers */
  async function openStrangers(
    host_name: string,
    guest_name: string,
    digit: number,
  ): Promise<[host: Page, guest: Page]> {
    const pages = await Promise.all([windows.open('desk'), windows.open('phone')] as const);
    await Promise.all([
      signUp(service, pages[0], host_name, `+1415555011${digit}`),
      signUp(service, pages[1], guest_name, `+1415555012${digit}`),
    ]);
    return pages;
  }

  it('accepts one message of a stranger, and lists it as a request until it is accepted', async () => {
    const [cleo, dora] = await openStrangers('cleo', 'dora', 1);
    await as(cleo, 'POST /xtags', { name: 'evenings' });
    await visit(dora, `${service.url}/app/t/evenings`);
    await dora.getByRole('button', { name: 'Message', exact: true }).click();
    await dora.getByText('You don’t know each other yet').waitFor();
    expect(await dora.getByLabel('Attach a picture, audio or video').count()).toBe(0);
    await writeMessage(dora, 'Do you still have the records?');
    await dora.getByText('Your message is waiting.').waitFor();
    expect(await dora.getByLabel('Message', { exact: true }).count()).toBe(0);
    expect(await inspectPage(dora, 'thread-waiting')).toEqual([]);

    // By keyboard alone, from the badge to the decision.
    await areaLink(cleo, /^Chats 1 new message$/).waitFor();
    await areaLink(cleo, /^Chats/).focus();
    await cleo.keyboard.press('Enter');
    await cleo.getByText('No chats yet').waitFor();
    await tabTo(cleo, /^Requests 1 waiting$/);
    await cleo.keyboard.press('Enter');
    await cleo.getByText('Do you still have the records?').waitFor();
    expect(await inspectPage(cleo, 'message-requests')).toEqual([]);
    await tabTo(cleo, /dora .*Do you still have the records\?/);
    await cleo.keyboard.press('Enter');
    await cleo.getByText('sent you a message request').waitFor();
    expect(await inspectPage(cleo, 'thread-request')).toEqual([]);
    // The list of requests is beside it, so that the next one is a click away.
    await cleo.getByRole('region', { name: 'Requests' }).getByRole('link', { name: /^dora/ }).waitFor();
    await tabTo(cleo, /^Accept$/);
    await cleo.keyboard.press('Enter');
    await cleo.getByText('sent you a message request').waitFor({ state: 'detached' });
    await dora.getByLabel('Message', { exact: true }).waitFor();
    await expect.poll(() => areaLink(cleo, /new message/).count()).toBe(0);
  });

  it('lists a thread as soon as it was accepted, with later messages', async () => {
    const [emil, fay] = await openStrangers('emil', 'fay', 2);
    const { id } = await as(fay, 'POST /dm/threads', { user_id: (await as(emil, 'GET /me')).id });
    await as(fay, `POST /dm/threads/${id}/chat`, { body: 'Do you still have the records?' });
    await visit(emil, `${service.url}/app/messages/requests`);
    await emil.getByRole('button', { name: 'Accept fay' }).click();
    await areaLink(emil, /^Chats/).click();
    await chatLink(emil, /^fay/).click();
    await writeMessage(emil, 'Whatever you like');
    await expect.poll(() => messageOf(emil, 'Sending').count()).toBe(0);
    await areaLink(emil, /^Chats$/).click();
    await chatLink(emil, /You: Whatever you like/).waitFor();
    await chatLink(emil, /^fay/).click();
    await areaLink(fay, /^Chats 1 new message$/).click();
    await chatLink(fay, /^emil/).click();
    await messageOf(fay, 'Whatever you like').waitFor();
    await messageOf(emil, /Whatever you like.*Read/s).waitFor();
  });

  it('draws nothing more once a chat whose messages all fit is open', async () => {
    const gus = await windows.open('phone');
    await signUp(service, gus, 'gus', '+14155550130');
    const thread_id = await openThread(service, ada, gus, 'Whatever you like');
    await ada.goto(`${service.url}/app/messages/${thread_id}`);
    await messageOf(ada, 'Whatever you like').waitFor();
    // What the page requests while ten frames pass.
    const countFrames = () =>
      ada.evaluate(`new Promise((resolve) => {
        const request = window.requestAnimationFrame;
        let requested = 0;
        window.requestAnimationFrame = (callback) => (requested++, request(callback));
        const wait = (frames) => request(() => (frames > 0 ? wait(frames - 1) : finish()));
        const finish = () => resolve(((window.requestAnimationFrame = request), requested));
        wait(10);
      })`);
    await expect.poll(countFrames, { timeout: 3_000 }).toBe(0);
  });

  it('shows at once a typing indicator, a new message, its delivery and its reading', async () => {
    await openChat();
    await ada.getByLabel('Message', { exact: true }).pressSequentially('Yes');
    await ben.getByText('ada is typing…').waitFor();
    await ada.keyboard.press('Shift+Enter');
    await ada.keyboard.type('All of them: https://example.org/records, ask shop@example.org');
    await ada.keyboard.press('Enter');
    await messageOf(ben, 'All of them').waitFor();
    await ben.getByRole('link', { name: 'example.org/records' }).waitFor();
    const address = ben.getByRole('link', { name: 'shop@example.org' });
    expect(await address.getAttribute('href')).toBe('mailto:shop@example.org');
    expect(await ben.getByText('ada is typing…').count()).toBe(0);
    await messageOf(ada, /All of them.*Read/s).waitFor();
    await areaLink(ada, /^Chats$/).click();
    await writeMessage(ben, 'May I hear them?');
    await areaLink(ada, /^Chats 1 new message$/).waitFor();
    const item = chatLink(ada, /May I hear them\?.*1 not read/);
    await item.waitFor();
    // One of her devices has received it, though she has not read it yet.
    await messageOf(ben, /May I hear them\?.*Delivered/s).waitFor();
    expect(await inspectPage(ben, 'thread-delivered')).toEqual([]);
    expect(await inspectPage(ada, 'messages')).toEqual([]);
    await item.click();
    await messageOf(ada, 'May I hear them?').waitFor();
    await areaLink(ada, /^Chats$/).waitFor();
    await messageOf(ben, /May I hear them\?.*Read/s).waitFor();
  });

  it('sends an image, and deletes a message for both', async () => {
    await openChat();
    const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    await ben
      .getByLabel('Attach a picture, audio or video')
      .setInputFiles({ name: 'sleeve.jpg', mimeType: 'image/jpeg', buffer: photo });
    await ben.getByRole('button', { name: 'Remove sleeve.jpg' }).waitFor();
    await expect.poll(() => ben.getByLabel('Sending sleeve.jpg').count()).toBe(0);
    await writeMessage(ben, 'This one');
    const picture = messageOf(ada, 'This one').getByRole('img');
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    expect(await inspectPage(ada, 'thread')).toEqual([]);
    await ben.getByRole('button', { name: 'More about “This one”' }).click();
    await ben.getByRole('menuitem', { name: 'Delete' }).click();
    await ben.getByRole('button', { name: 'Delete', exact: true }).click();
    await messageOf(ada, 'Message deleted').waitFor();
    expect(await picture.count()).toBe(0);
    expect(await ben.getByText('This one').count()).toBe(0);
  });

  it('marks an unsent message, and sends it once when the network returns', async () => {
    await openChat();
    const posts = '**/v1/dm/threads/*/chat';
    await ben.route(posts, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await writeMessage(ben, 'From the tunnel');
    await messageOf(ben, /From the tunnel.*Not sent yet/s).waitFor({ timeout: 40_000 });
    expect(await inspectPage(ben, 'thread-failed')).toEqual([]);
    expect(await messageOf(ada, 'From the tunnel').count()).toBe(0);
    // It is still shown when the reader returns to the chat.
    await ben.getByRole('link', { name: 'Back to your chats' }).click();
    await chatLink(ben, /^ada/).click();
    // With a network it waits for the service: one that refuses it for now, too.
    await messageOf(ben, /From the tunnel.*It will be sent as soon as possible\./s).waitFor();
    await ben.context().setOffline(true);
    await messageOf(ben, /From the tunnel.*It will be sent as soon as you are connected\./s).waitFor();
    await ben.context().setOffline(false);
    await ben.unroute(posts);
    await messageOf(ada, 'From the tunnel').waitFor({ timeout: 40_000 });
    await expect.poll(() => messageOf(ben, 'Not sent yet').count()).toBe(0);
    await expect.poll(() => messageOf(ben, 'Sending').count()).toBe(0);
    expect([await messageOf(ada, 'From the tunnel').count(), await messageOf(ben, 'From the tunnel').count()]).toEqual([
      1, 1,
    ]);
  });

  it('shows a call at its time between the messages, with a button to call back', async () => {
    await openChat();
    await ada.getByRole('button', { name: 'Call ben', exact: true }).click();
    await ada.getByRole('button', { name: 'Leave', exact: true }).click();
    await messageOf(ben, 'Missed voice call').getByRole('button', { name: 'Call back' }).waitFor();
    await areaLink(ada, /^Chats/).click();
    await chatLink(ada, /ben/).click();
    await messageOf(ada, /^No answer: voice call/)
      .getByRole('button', { name: 'Call again' })
      .waitFor();
    // Earlier messages are before it, and later ones after it.
    await writeMessage(ben, 'I was in the shower');
    await messageOf(ada, 'I was in the shower').waitFor();
    const lines = await ada.getByRole('log').getByRole('listitem').allInnerTexts();
    const placeOf = (text: RegExp) => lines.findIndex((line) => text.test(line));
    expect(placeOf(/voice call/)).toBeGreaterThan(0);
    expect(placeOf(/voice call/)).toBeLessThan(placeOf(/shower/));
    expect(await inspectPage(ben, 'thread-call', 'each')).toEqual([]);
  });

  it('is closed for both once one blocks the other', async () => {
    const [hana, ivo] = await openStrangers('hana', 'ivo', 3);
    const thread_id = await openThread(service, hana, ivo);
    for (const page of [hana, ivo]) {
      await visit(page, `${service.url}/app/messages/${thread_id}`);
      await messageOf(page, 'The pier at nine?').waitFor();
    }
    await hana.getByRole('button', { name: 'More about ivo' }).click();
    await hana.getByRole('menuitem', { name: 'Block @ivo' }).click();
    await hana.getByRole('button', { name: /^Block/ }).click();
    await hana.getByText('This chat is closed').waitFor();
    await ivo.getByText('This chat is closed').waitFor();
    expect(await ivo.getByText('This chat is closed').count()).toBe(1);
    expect(await inspectPage(ivo, 'thread-closed')).toEqual([]);
    await ivo.getByRole('link', { name: 'Your chats' }).click();
    await ivo.getByText('No chats yet').waitFor();
  });
});
