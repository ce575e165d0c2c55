/** The pages of a call in the browser, from the lobby on: many people, phones, a recording, and declined rings. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { joinCrowd, newestLegTo, simulateLeg, type Crowd } from '../../running/call-crowd.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  sizes,
  waitForHome,
} from '../../browser/windows.ts';
import { describeStory } from '../../../../testing/story.ts';

const phone_number = '+442079460123';
/** The participants without a window, who join by the native SDK. */
const crowd_size = 3;
/** The capacity of the largest grid. */
const max_people = 16;

const dot = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } })
    .png()
    .toBuffer();

describeStory(missing_browser, 'the pages of a call', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let join_code = '';
  const crowds: Crowd[] = [];
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(
      windows,
      { ada: 'desk', ben: 'phone' },
      { environment: { DIAL_IN_NUMBER: '+442079460999' } },
    ));
    await createTag(ben, 'riverside');
  });
  afterAll(async () => {
    for (const crowd of crowds) await crowd.leave();
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  /**
   * The number of tiles, of those outside of the window and of those that overlap another, and whether the window
   * scrolls.
   */
  const tiles = (page: Page): Promise<{ shown: number; out: number; over: number; scrolls: number }> =>
    page.evaluate(`(() => {
      const boxes = [...document.querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect());
      const out = boxes.filter((box) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || box.width < 40);
      const over = boxes.filter((box, at) => boxes.slice(at + 1).some((other) =>
        box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 1 && other.top < box.bottom - 1));
      return { shown: boxes.length, out: out.length, over: over.length, scrolls: document.documentElement.scrollHeight - innerHeight };
    })()`);

  it('tests the devices in the lobby, and stores the choice', async () => {
    await areaLink(ada, /^Call$/).click();
    await press(ada, 'New room');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ada.url().split('/').at(-1) ?? '';
    await press(ada, /^Who can join/);
    await ada.getByRole('menuitemradio', { name: /^Public/ }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
    await ada.getByLabel('Message').fill('Before anybody came');
    await press(ada, 'Send');
    await ada.getByText('Before anybody came', { exact: true }).waitFor();
    await ben.goto(`${service.url}/app/j/${join_code}`);
    await press(ben, 'Camera off');
    const video = ben.getByLabel('Your camera, seen only by you');
    await video.waitFor();
    await poll(() => ben.evaluate(`document.querySelector('.preview video').videoWidth > 0`), 'the preview');
    const level = () => ben.getByLabel('Microphone level').getAttribute('value');
    await poll(async () => Number(await level()) > 0.2, 'the level of the microphone');
    expect(await inspectPage(ben, 'lobby', 'each')).toEqual([]);
    await ben.reload();
    await video.waitFor();
    await ben.getByRole('button', { name: 'Camera on' }).waitFor();
  });

  it('enlarges the other participant in a call of two', async () => {
    await press(ben, 'Join');
    await ben.getByRole('button', { name: 'Stop camera' }).waitFor();
    await poll(async () => (await tiles(ada)).shown === 2, 'two tiles');
    await press(ada, 'Start camera');
    await ada.getByRole('button', { name: 'Stop camera' }).waitFor();
    await ada.getByLabel('ben', { exact: true }).waitFor();
    const [own, other] = [ada.getByLabel('ada (you)'), ada.getByLabel('ben', { exact: true })];
    const [small, large] = [await own.boundingBox(), await other.boundingBox()];
    expect(small!.width * 3).toBeLessThan(large!.width);
    expect(await inspectPage(ada, 'call-two', 'each')).toEqual([]);
    // The own tile is dragged away from what it covers; the end of the drag pins nothing.
    await ada.mouse.move(small!.x + 60, small!.y + 40);
    await ada.mouse.down();
    await ada.mouse.move(large!.x + 90, large!.y + 60, { steps: 4 });
    await ada.mouse.up();
    await expect.poll(async () => (await own.boundingBox())!.y < large!.y + large!.height / 4).toBe(true);
    expect((await own.boundingBox())!.x).toBeLessThan(large!.x + large!.width / 4);
    expect((await own.boundingBox())!.width).toBe(small!.width);
  });

  it('shows an upright camera as a whole on a wide tile, and fills an upright tile', async () => {
    await press(ada, 'Stop camera');
    await ada.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 180, height: 320 });
      const paint = () => canvas.getContext('2d').fillRect(0, 0, 180, 320);
      setInterval(paint, 100);
      return canvas.captureStream(10);
    }`);
    await press(ada, 'Start camera');
    const fitOf = (page: Page, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('video[aria-label="${name}"]')).objectFit`);
    await expect.poll(() => fitOf(ada, 'ada (you)')).toBe('contain');
    await ben.getByLabel('ada', { exact: true }).waitFor();
    await expect.poll(() => fitOf(ben, 'ada')).toBe('cover');
  });

  it('shows five people at once, and who speaks', async () => {
    crowds.push(await joinCrowd(service, join_code, crowd_size));
    for (const page of [ada, ben]) {
      await poll(async () => (await tiles(page)).shown === 2 + crowd_size, 'everybody’s tile');
      expect(await tiles(page)).toMatchObject({ out: 0, scrolls: 0 });
      await page.locator('.tile', { hasText: 'Speaking: cleo' }).waitFor();
      await page.locator('.tile', { hasText: 'Muted: dara' }).waitFor();
      await page.locator('.tile', { hasText: 'cleo' }).getByText('Connection good').waitFor({ state: 'attached' });
    }
    expect(await inspectPage(ada, 'call-five', 'each')).toEqual([]);
    await press(ada, 'More about this call');
    await ada.getByRole('menuitemradio', { name: 'Speaker view' }).click();
    const widthOf = async (name: string) => (await ada.locator('.tile', { hasText: name }).boundingBox())?.width ?? 0;
    await poll(async () => (await widthOf('cleo')) > 3 * (await widthOf('dara')), 'cleo large');
    expect(await tiles(ada)).toMatchObject({ out: 0, scrolls: 0 });
    expect(await inspectPage(ada, 'call-speaker', 'each')).toEqual([]);
    await press(ada, 'More about this call');
    await ada.getByRole('menuitemradio', { name: 'Gallery' }).click();
  });

  it('dials a phone, rejects an emergency number, and shows the state of the leg', async () => {
    await press(ada, 'Add people');
    await ada.getByRole('tab', { name: 'Phone' }).click();
    const number = ada.getByLabel('Phone number');
    await number.fill('112');
    await press(ada, 'Call this number');
    await ada.getByText(/^Phone number is an emergency number/).waitFor();
    await number.fill(phone_number);
    await ada.getByLabel('Name').fill('Grandmother');
    await press(ada, 'Call this number');
    const legs = ada.getByRole('list', { name: 'Phones in this call' });
    const playNow = async (state: string) => {
      const leg = await poll(() => newestLegTo(service, phone_number), 'the leg');
      expect(await simulateLeg(service, leg.leg_id, state)).toBe(200);
    };
    await legs.getByText('Grandmother', { exact: true }).waitFor();
    await poll(async () => (await newestLegTo(service, phone_number))?.state === 'queued', 'the leg');
    await poll(
      async () => (await simulateLeg(service, (await newestLegTo(service, phone_number))!.leg_id, 'ringing')) === 200,
    );
    await legs.getByText('Phone rings…').waitFor();
    expect(await inspectPage(ada, 'dial', 'each')).toEqual([]);
    await ada.getByRole('tab', { name: 'Dial in' }).click();
    await ada.getByText('+44 20 7946 0999').waitFor();
    expect(await inspectPage(ada, 'dial-in', 'each')).toEqual([]);
    await press(ada, 'Close');
    const tile = (page: Page) => page.locator('.tile', { hasText: 'Grandmother' });
    await tile(ben).getByText('Phone rings…').waitFor();
    expect(await inspectPage(ada, 'call-phone', 'each')).toEqual([]);
    await playNow('busy');
    for (const page of [ada, ben]) await tile(page).getByText('Line is busy').waitFor();
    expect(await inspectPage(ada, 'call-phone-busy', 'each')).toEqual([]);
    await tile(ada).getByRole('button', { name: 'Ring again Grandmother' }).click();
    await tile(ada)
      .getByText(/Dialling|Phone rings/)
      .waitFor();
    expect(
      await tile(ben)
        .getByRole('button', { name: /Ring again|Cancel/ })
        .count(),
    ).toBe(0);
    await tile(ada).getByRole('button', { name: 'Cancel Grandmother' }).click();
    await tile(ada)
      .getByText(/No answer|Hung up/)
      .waitFor();
    await tile(ada).getByRole('button', { name: 'Dismiss Grandmother' }).click();
    await tile(ada).waitFor({ state: 'detached' });
  });

  it('notifies everybody before and during a recording, including a participant who joins later', async () => {
    await press(ada, 'More about this call');
    await ada.getByRole('menuitem', { name: /^Record this call/ }).click();
    await ada.getByText('ben hasn’t answered yet.').waitFor();
    await ben.getByText('ada wants to record this call.').waitFor();
    await ben.getByText('Recording, without you', { exact: true }).waitFor();
    await ben.getByText('ada is recording this call.').waitFor();
    expect(await inspectPage(ben, 'call-recorded', 'each')).toEqual([]);
    await press(ben, 'Don’t record me');
    await ben.getByText('ada is recording this call.').waitFor({ state: 'detached' });
    await ada.getByText('ben isn’t recorded.').waitFor();
    await press(ben, 'More about this call');
    await ben.getByRole('menuitemcheckbox', { name: /^Record me/, checked: false }).click();
    await ben.getByText('Recording', { exact: true }).waitFor();
    await ada.getByText('Everyone in the call has been notified.').waitFor();
    await press(ben, 'Leave');
    await waitForHome(ben);
    await press(ada, 'Add people');
    await ada.getByLabel('Who', { exact: true }).fill('riverside');
    await press(ada, 'Ring *riverside');
    await press(ada, 'Close');
    const card = ben.getByRole('region', { name: 'Incoming call' });
    await card.getByText('This call is being recorded.').waitFor();
    await press(ben, 'Decline');
    await card.waitFor({ state: 'detached' });
    await ben.goto(`${service.url}/app/j/${join_code}`);
    await ben.getByText('This call is being recorded.').waitFor();
    await press(ben, 'Join');
    await ben.getByText('Recording', { exact: true }).waitFor();
    await press(ada, 'More about this call');
    await ada.getByRole('menuitem', { name: /^Stop recording/ }).click();
    for (const page of [ada, ben]) await page.getByText('Recording', { exact: true }).waitFor({ state: 'detached' });
  });

  it('shows images in the chat, and earlier messages to a later participant once the host shares them', async () => {
    const attach = ada.getByLabel('Attach a picture, audio or video');
    const sendAttached = async (name: string) => {
      await ada.getByRole('button', { name: `Remove ${name}` }).waitFor();
      await expect.poll(() => ada.getByLabel(`Sending ${name}`).count()).toBe(0);
      await press(ada, 'Send');
    };
    await attach.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: await dot() });
    await sendAttached('dot.png');
    await ada.getByRole('img', { name: 'Picture, posted by you' }).waitFor();
    await press(ben, /^Show chat/);
    await ben.getByRole('img', { name: 'Picture, posted by ada' }).waitFor();
    // A picture opens over the call, and going back closes it, and not the call.
    await ben.getByRole('link', { name: 'Picture, posted by ada' }).click();
    await ben.getByRole('dialog', { name: 'Picture, posted by ada' }).waitFor();
    expect(await inspectPage(ben, 'call-chat-picture', 'each')).toEqual([]);
    await ben.goBack();
    await ben.getByRole('dialog', { name: 'Picture, posted by ada' }).waitFor({ state: 'detached' });
    await ben.getByRole('button', { name: 'Leave', exact: true }).waitFor();
    await ada.route('**/v1/files', (route) => route.abort());
    await attach.setInputFiles({ name: 'late.png', mimeType: 'image/png', buffer: await dot() });
    await ada.getByRole('button', { name: 'Send late.png again' }).waitFor();
    expect(await inspectPage(ada, 'call-chat', 'each')).toEqual([]);
    await ada.unroute('**/v1/files');
    await press(ada, 'Send late.png again');
    await sendAttached('late.png');
    await ben.getByRole('img', { name: 'Picture, posted by ada' }).nth(1).waitFor();
    await ada.getByRole('list', { name: 'Attached' }).waitFor({ state: 'detached' });
    expect(await ben.getByText('Before anybody came').count()).toBe(0);
    await press(ada, 'More about this call');
    await ada.getByRole('menuitemcheckbox', { name: /^Share the whole chat/ }).click();
    await ben.getByText('Before anybody came').first().waitFor();
  });

  it('rings on every page, shows who is in the call, and can be silenced', async () => {
    await press(ben, 'Leave');
    await waitForHome(ben);
    // Navigation within the page keeps the stream that reports a ring open.
    await areaLink(ben, /^You$/).click();
    await ben.getByRole('heading', { name: /^(You|Profile)$/, level: 1 }).waitFor();
    await press(ada, 'Add people');
    await ada.getByLabel('Who', { exact: true }).fill('riverside');
    await press(ada, 'Ring *riverside');
    await press(ada, 'Close');
    const card = ben.getByRole('region', { name: 'Incoming call' });
    await card.getByText(/^4 people are in the call: /).waitFor();
    expect(await ben.evaluate(`document.querySelector('.ringing').contains(document.activeElement)`)).toBe(false);
    expect(await inspectPage(ben, 'ring', 'each')).toEqual([]);
    const ringing = ada.locator('.tile', { hasText: 'ben' });
    await ringing.getByText('Ringing…').waitFor();
    expect(await inspectPage(ada, 'call-ringing', 'each')).toEqual([]);
    // A page that is opened meanwhile rings too, although its stream did not report the ring.
    await ben.reload();
    await card.getByText(/^4 people are in the call: /).waitFor();
    await press(ben, 'Silence');
    await ben.getByRole('button', { name: 'Silenced' }).waitFor();
    await press(ben, 'Decline');
    await card.waitFor({ state: 'detached' });
  });

  it('shows who declined, and offers to leave a message or to ring again', async () => {
    const absent = ada.getByRole('list', { name: 'Not joining' });
    await absent.getByText('ben declined', { exact: true }).waitFor();
    const message = absent.getByRole('link', { name: /^Leave a message for ben/ });
    expect(await message.getAttribute('href')).toMatch(/^\/app\/videomail\/ben\?conference_id=conf_/);
    expect(await inspectPage(ada, 'call-declined', 'each')).toEqual([]);
    const other = await ben.context().newPage();
    const stream = other.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await other.goto(`${service.url}/app/`);
    await stream;
    await absent.getByRole('button', { name: 'Ring again ben' }).click();
    await absent.waitFor({ state: 'detached' });
    for (const page of [ben, other]) await page.getByRole('region', { name: 'Incoming call' }).waitFor();
    await press(ben, 'With camera');
    await other.getByRole('region', { name: 'Incoming call' }).waitFor({ state: 'detached' });
    await ben.getByRole('button', { name: 'Stop camera' }).waitFor();
    await other.close();
  });

  it('lets the host remove a participant', async () => {
    await ada.getByRole('tab', { name: /^People/ }).click();
    await press(ada, 'More about dara');
    await ada.getByRole('menuitem', { name: 'Remove from call' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await ada.locator('.tile', { hasText: 'dara' }).waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Ring dara again' }).waitFor();
  });

  it('explains how to permit a denied device in this browser', async () => {
    const page = await ben.context().newPage();
    await page.addInitScript(`
      navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('No.', 'NotAllowedError'); };
    `);
    await page.goto(`${service.url}/app/j/${join_code}`);
    await page.getByText('Your browser doesn’t let Asterism use the microphone. To allow it:').waitFor();
    await page.getByText('Switch “Microphone” on for this site.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(2);
    // What is refused is not called on.
    for (const name of ['Microphone off', 'Camera off']) await page.getByRole('button', { name }).waitFor();
    expect(await inspectPage(page, 'lobby-refused', 'each')).toEqual([]);
    await page.close();
  });

  it('measures the connection to the media server, and describes it', async () => {
    await press(ben, 'Leave');
    await waitForHome(ben);
    // The room is closed while its media are connected: after a disconnection there would be no call to end. The page
    // itself counts, since requests that pass its service worker are not always reported to the test.
    await ben.addInitScript(`
      window.connected_at_the_end = [];
      const send = window.fetch;
      window.fetch = (request, options) => {
        if ((options?.method ?? request.method) === 'DELETE' && String(request.url ?? request).endsWith('/calls/active'))
          connected_at_the_end.push(connections.some((connection) => connection.connectionState === 'connected'));
        return send(request, options);
      };
    `);
    await ben.goto(`${service.url}/app/call-test`);
    await press(ben, 'Measure');
    await ben.getByText('Audio and video go straight to the media server, over UDP.').waitFor();
    await ben.getByText(/The round trip takes \d+ ms: not noticeable\.$/).waitFor();
    await ben.getByText(/^All connection attempts/).click();
    await ben.getByRole('cell', { name: 'in use' }).first().waitFor();
    expect(await ben.evaluate('connected_at_the_end')).toEqual([true]);
    await ben.evaluate('scrollTo(0, 0)');
    expect(await inspectPage(ben, 'call-test', 'each')).toEqual([]);
    const token = (await ben.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) as string;
    expect((await service.call('GET /calls/active', { token })).status).toBe(404);
  });

  it('shows sixteen people at once on a desktop, and on two pages on a phone', async () => {
    const token = (await ada.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) as string;
    const { body } = await service.call('POST /billing/checkout', { token, body: {} });
    const paid = await fetch(`${service.url}/console/payments/${body.session_id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'paid' }),
    });
    expect(paid.status).toBe(200);
    const { shown } = await tiles(ada);
    crowds.push(await joinCrowd(service, join_code, max_people - shown, crowd_size));
    const shown_names = async () => new Set(await ada.locator('.tile .tile-words').allInnerTexts());
    await poll(async () => (await tiles(ada)).shown === max_people, 'everybody’s tile');
    // A tile has its name a moment after it is there.
    await poll(async () => (await shown_names()).size === max_people, 'everybody’s name');
    const everybody = await shown_names();
    // They move to their new positions, across one another.
    await expect.poll(() => tiles(ada)).toEqual({ shown: max_people, out: 0, over: 0, scrolls: 0 });
    // On a phone they are on two pages.
    await ada.setViewportSize(sizes.phone);
    await ada.getByRole('group', { name: 'Page 1 of 2' }).waitFor();
    await expect.poll(() => tiles(ada)).toMatchObject({ out: 0, over: 0, scrolls: 0 });
    const first_page = await shown_names();
    await press(ada, 'More people');
    await ada.getByRole('group', { name: 'Page 2 of 2' }).waitFor();
    await expect.poll(() => tiles(ada)).toMatchObject({ out: 0, over: 0, scrolls: 0 });
    expect(first_page.union(await shown_names())).toEqual(everybody);
    expect(await inspectPage(ada, 'call-sixteen', 'each')).toEqual([]);
  });
});
