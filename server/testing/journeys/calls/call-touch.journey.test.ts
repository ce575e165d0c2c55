/** The stage of a call on a touch screen: a tap shows and hides the controls, tiles are pinned, and pages swiped. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { joinCrowd, type Crowd } from '../../running/call-crowd.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  clearCachedData,
  missing_browser,
  sessionOf,
  signUp,
  sizes,
  useBrowserWindows,
} from '../../browser/windows.ts';

/** So low that a page has four of the tiles. */
const low = { width: 390, height: 480 };

describeUnlessMissing(missing_browser, 'the stage of a call by touch', () => {
  let service: Service;
  let ada: Page;
  let touch: CDPSession;
  let crowd: Crowd;
  let url = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, ada] = await Promise.all([windows.startService(), windows.open('phone', { has_touch: true })]);
    touch = await ada.context().newCDPSession(ada);
    await signUp(service, ada, 'ada', '+14155550101');
    const { token } = await sessionOf(ada);
    const { body } = await service.call('POST /calls', { token, body: { to: [], privacy: 'public' } });
    url = `${service.url}/app/call/${body.join_code}?microphone=off&camera=off`;
    await ada.goto(url);
    await ada.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    crowd = await joinCrowd(service, body.join_code, 5);
    await poll(async () => (await ada.locator('.tile').count()) === 6, 'everybody’s tile');
  });
  afterAll(async () => {
    await crowd?.leave();
  });

  const tile = (name: string) => ada.locator('.tile', { hasText: name });
  const centreOf = async (name: string) => {
    const { x, y, width, height } = (await tile(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return [x + width / 2, y + height / 2] as const;
  };
  const hidden = () => ada.locator('main.call[data-bare]');
  const shown = () => ada.locator('main.call:not([data-bare])');
  const send = (type: string, points: object[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points } as never);
  /** Moves a finger sideways over the middle of the stage. */
  async function swipe(by: number): Promise<void> {
    const start = { x: low.width / 2 - by / 2, y: low.height / 2 };
    await send('touchStart', [start]);
    for (const share of [0.3, 0.6, 1]) await send('touchMove', [{ ...start, x: start.x + by * share }]);
    await send('touchEnd', []);
  }
  const pageShown = async () => /\d/.exec(await ada.locator('.stage-page').innerText())?.[0];

  /** Opens the call in a low window, in which the controls hide, in a language. */
  async function openLow(locale = 'en'): Promise<void> {
    const { token } = await sessionOf(ada);
    await service.call('PATCH /me', { token, body: { locale } });
    await clearCachedData(ada, service);
    await ada.evaluate(`localStorage.setItem('asterism.locale', '${locale}')`);
    await ada.setViewportSize(low);
    await ada.goto(url);
    await ada.locator('.tile', { hasText: 'cleo' }).waitFor();
  }

  it('shows the controls by a tap, which presses nothing of them, and hides them by another', async () => {
    await openLow();
    const leave = await ada.getByRole('button', { name: 'Leave', exact: true }).boundingBox();
    await hidden().waitFor();
    await ada.touchscreen.tap((leave?.x ?? 0) + 20, (leave?.y ?? 0) + 20);
    await shown().waitFor();
    await tile('cleo').waitFor();
    await ada.touchscreen.tap(...(await centreOf('cleo')));
    await hidden().waitFor({ timeout: 2_000 });
    await ada.touchscreen.tap(...(await centreOf('cleo')));
    await shown().waitFor();
    expect(ada.url()).toContain('/call/');
  });

  it('pins a tile by its button, which comes with the controls, and a small one by a tap', async () => {
    await openLow();
    const pinOf = (name: string) => tile(name).locator('.tile-pin');
    const opacityOf = (name: string) =>
      ada.evaluate(
        `getComputedStyle([...document.querySelectorAll('.tile')].find((one) => one.innerText.includes('${name}')).querySelector('.tile-pin')).opacity`,
      );
    await hidden().waitFor();
    expect(await opacityOf('dara')).toBe('0');
    await ada.touchscreen.tap(...(await centreOf('cleo')));
    await expect.poll(() => opacityOf('dara')).toBe('1');
    await pinOf('dara').tap();
    await poll(async () => ((await tile('dara').boundingBox())?.width ?? 0) > 300, 'dara large');
    await tile('emil').tap();
    await poll(async () => ((await tile('emil').boundingBox())?.width ?? 0) > 300, 'emil large');
    await pinOf('emil').tap();
    await poll(async () => ((await tile('emil').boundingBox())?.width ?? 0) < 200, 'the gallery');
  });

  it('closes the chat over the stage when the system asks to close it', async () => {
    await ada.setViewportSize(sizes.phone);
    await shown().waitFor();
    const chat = ada.getByRole('button', { name: 'Show chat' });
    await chat.tap();
    await ada.getByLabel('Message').waitFor();
    // As the back button of a phone, which no driver can press.
    await ada.keyboard.press('Escape');
    await ada.getByLabel('Message').waitFor({ state: 'hidden' });
    expect(ada.url()).toContain('/call/');
    await shown().waitFor();
  });

  it('switches to the rear camera of a phone, which is not mirrored, and back', async () => {
    const page = await ada.context().newPage();
    // A phone: two cameras, and no sharing of its screen.
    await page.addInitScript(`{
      const devices = navigator.mediaDevices;
      const [list, get] = [devices.enumerateDevices.bind(devices), devices.getUserMedia.bind(devices)];
      delete MediaDevices.prototype.getDisplayMedia;
      devices.enumerateDevices = async () => {
        const all = await list();
        const camera = all.find(({ kind }) => kind === 'videoinput');
        return [...all, { ...camera.toJSON(), deviceId: 'rear', toJSON: () => ({}) }];
      };
      devices.getUserMedia = async (wanted) => {
        const { facingMode = 'user', ...video } = typeof wanted.video === 'object' ? wanted.video : {};
        const stream = await get(wanted.video ? { ...wanted, video: { ...video, deviceId: undefined } } : wanted);
        for (const track of stream.getVideoTracks()) {
          const settings = track.getSettings.bind(track);
          track.getSettings = () => ({ ...settings(), facingMode: facingMode.ideal ?? facingMode });
        }
        return stream;
      };
    }`);
    await page.goto(url);
    await page.getByRole('button', { name: 'Start camera' }).click();
    const own = page.locator('.tile', { hasText: 'You' }).locator('video');
    const isMirrored = async () => (await own.getAttribute('data-mirrored')) === '';
    await expect.poll(isMirrored).toBe(true);
    for (const mirrored of [false, true]) {
      await page.getByRole('button', { name: 'Flip camera' }).click();
      await expect.poll(isMirrored).toBe(mirrored);
    }
    expect(await page.getByRole('button', { name: 'Share screen' }).count()).toBe(0);
    await page.close();
    // The other window was replaced by this one.
    await ada.goto(url);
    await tile('cleo').waitFor();
  });

  it('shows the upright camera of a phone as a whole before a call, with room for it', async () => {
    const page = await ada.context().newPage();
    await page.addInitScript(`{
      const native = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        if (!wanted.video) return native(wanted);
        const canvas = Object.assign(document.createElement('canvas'), { width: 180, height: 320 });
        setInterval(() => canvas.getContext('2d').fillRect(0, 0, 180, 320), 100);
        return canvas.captureStream(10);
      };
    }`);
    await page.goto(url.replace('/call/', '/j/'));
    await page.getByRole('button', { name: 'Camera off' }).click();
    const video = page.getByLabel('Your camera, seen only by you');
    await video.waitFor();
    await expect
      .poll(() => page.evaluate(`getComputedStyle(document.querySelector('.preview video')).objectFit`))
      .toBe('contain');
    const { width, height } = (await video.boundingBox()) ?? { width: 0, height: 0 };
    expect(height).toBeGreaterThan(0.9 * width);
    // The button to join stays above the tabs.
    const join = await page.getByRole('button', { name: 'Join', exact: true }).boundingBox();
    const tabs = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    expect(join!.y + join!.height).toBeLessThan(tabs!.y);
    await page.close();
  });

  it.each([
    { locale: 'en', forward: -200 },
    { locale: 'ar', forward: 200 },
  ])('turns pages of tiles by swiping along the line in $locale', async ({ locale, forward }) => {
    await openLow(locale);
    await poll(async () => (await ada.locator('.tile').count()) === 4, 'a page of tiles');
    await expect.poll(pageShown).toBe('1');
    await swipe(-forward);
    await swipe(forward / 10);
    expect(await pageShown()).toBe('1');
    await swipe(forward);
    await expect.poll(pageShown).toBe('2');
    await swipe(-forward);
    await expect.poll(pageShown).toBe('1');
    const translate = await ada.evaluate(`getComputedStyle(document.querySelector('.tiles')).translate`);
    expect(translate).toBe('none');
    await ada.setViewportSize(sizes.phone);
  });
});
