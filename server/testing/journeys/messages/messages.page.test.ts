/**
 * Two people write to each other in two browsers, on a desktop and on a phone: request, accept, write, show, delete.
 */
import { beforeAll, expect, it } from 'vitest';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { inspectPage, tabTo } from '../../browser/page-checks.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  visit,
} from '../../browser/windows.ts';
import { chatLink, messageOf, writeMessage } from '../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'messages in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await createTag(ada, 'evenings');
  });

  it('accepts one message of a stranger, and lists it as a request until it is accepted', async () => {
    await visit(ben, `${service.url}/app/t/evenings`);
    await ben.getByRole('button', { name: 'Message', exact: true }).click();
    await ben.getByText('You don’t know each other yet').waitFor();
    expect(await ben.getByLabel('Attach a picture, audio or video').count()).toBe(0);
    await writeMessage(ben, 'Do you still have the records?');
    await ben.getByText('Your message is waiting.').waitFor();
    expect(await ben.getByLabel('Message', { exact: true }).count()).toBe(0);
    expect(await inspectPage(ben, 'thread-waiting')).toEqual([]);

    // By keyboard alone, from the badge to the decision.
    await areaLink(ada, /^Chats 1 new message$/).waitFor();
    await areaLink(ada, /^Chats/).focus();
    await ada.keyboard.press('Enter');
    await ada.getByText('No chats yet').waitFor();
    await tabTo(ada, /^Requests 1 waiting$/);
    await ada.keyboard.press('Enter');
    await ada.getByText('Do you still have the records?').waitFor();
    expect(await inspectPage(ada, 'message-requests')).toEqual([]);
    await tabTo(ada, /ben .*Do you still have the records\?/);
    await ada.keyboard.press('Enter');
    await ada.getByText('sent you a message request').waitFor();
    expect(await inspectPage(ada, 'thread-request')).toEqual([]);
    // The list of requests is beside it, so that the next one is a click away.
    await ada.getByRole('region', { name: 'Requests' }).getByRole('link', { name: /^ben/ }).waitFor();
    await tabTo(ada, /^Accept$/);
    await ada.keyboard.press('Enter');
    await ada.getByText('sent you a message request').waitFor({ state: 'detached' });
    await ben.getByLabel('Message', { exact: true }).waitFor();
    await expect.poll(() => areaLink(ada, /new message/).count()).toBe(0);
  });

  it('lists a thread as soon as it was accepted, with later messages', async () => {
    await ben.getByRole('link', { name: 'Back to your chats' }).click();
    await areaLink(ben, /^Home$/).click();
    await writeMessage(ada, 'Whatever you like');
    await expect.poll(() => messageOf(ada, 'Sending').count()).toBe(0);
    await areaLink(ada, /^Chats$/).click();
    await chatLink(ada, /You: Whatever you like/).waitFor();
    await chatLink(ada, /^ben/).click();
    await areaLink(ben, /^Chats 1 new message$/).click();
    await chatLink(ben, /^ada/).click();
    await messageOf(ben, 'Whatever you like').waitFor();
    await messageOf(ada, /Whatever you like.*Read/s).waitFor();
  });

  it('draws nothing more once a chat whose messages all fit is open', async () => {
    await ada.reload();
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
    await ada.getByRole('button', { name: 'More about ben' }).click();
    await ada.getByRole('menuitem', { name: 'Block @ben' }).click();
    await ada.getByRole('button', { name: /^Block/ }).click();
    await ada.getByText('This chat is closed').waitFor();
    await ben.getByText('This chat is closed').waitFor();
    expect(await ben.getByText('This chat is closed').count()).toBe(1);
    expect(await inspectPage(ben, 'thread-closed')).toEqual([]);
    await ben.getByRole('link', { name: 'Your chats' }).click();
    await ben.getByText('No chats yet').waitFor();
  });
});
