/** Background blur and noise suppression, from the lobby into a call. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { poll, type Service } from '../../running/running-service.ts';
import { areaLink, useBrowserWindows, openTwoPeople, missing_browser, receivedMedia } from '../../browser/windows.ts';

const blur = 'Blur my background';
const noise = 'Noise suppression';

describeStory(missing_browser, 'the effects of a call', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  /** The files of the library and its model that the second window has requested. */
  const fetched: string[] = [];
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    ben.on('request', (request) => {
      if (/segmentation|mediapipe|tflite|wasm/.test(request.url())) fetched.push(request.url());
    });
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const blurSwitch = () => ben.getByRole('switch', { name: blur });
  /**
   * The sharpness of the top of a video frame, where the fake camera shows the time: the mean difference of neighbours
   * in a row, from 0 to 255; 0 while nothing is shown. The disc below it is recognised as a person, and stays sharp.
   */
  const sharpness = (page: Page, video: string) =>
    page.evaluate(`(() => {
      const video = document.querySelector(${JSON.stringify(video)});
      if (!video || video.videoWidth === 0) return 0;
      const [width, height] = [640, 72];
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const pen = canvas.getContext('2d');
      pen.drawImage(video, 0, 0, video.videoWidth, video.videoHeight / 5, 0, 0, width, height);
      const { data } = pen.getImageData(0, 0, width, height);
      let sum = 0;
      for (let at = 4; at < data.length; at += 4) if ((at / 4) % width > 0) sum += Math.abs(data[at + 1] - data[at - 3]);
      return sum / (width * height);
    })()`) as Promise<number>;
  const preview = () => sharpness(ben, '.preview video');
  const sharpnessForAda = () => sharpness(ada, 'video[aria-label="ben"]');
  const effect = async (name: string) => {
    await press(ben, 'Devices');
    return ben.getByRole('menuitemcheckbox', { name });
  };
  /** Switches an effect in the call, and closes the menu again. */
  async function switchEffect(name: string, on: boolean): Promise<void> {
    const item = await effect(name);
    await item.click();
    await ben.getByRole('menuitemcheckbox', { name, checked: on }).and(ben.locator('[aria-busy=false]')).waitFor();
    await ben.keyboard.press('Escape');
    await item.waitFor({ state: 'detached' });
  }
  async function expectFrames(): Promise<void> {
    const { frames } = await receivedMedia(ada);
    await poll(async () => (await receivedMedia(ada)).frames > frames + 10, 'more frames');
  }
  let plain_sharpness = 0;
  let plain_sharpness_for_ada = 0;

  it('fetches the model only when blur is switched on, from this service alone, and blurs the preview', async () => {
    await areaLink(ada, /^Call$/).click();
    await press(ada, 'New room');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    const join_code = ada.url().split('/').at(-1) ?? '';
    await press(ada, /^Who can join/);
    await ada.getByRole('menuitemradio', { name: /^Public/ }).click();
    await ben.goto(`${service.url}/app/j/${join_code}`);
    await press(ben, 'Camera off');
    await poll(async () => (await preview()) > 0, 'the preview');
    plain_sharpness = await preview();
    expect(await blurSwitch().isChecked()).toBe(false);
    expect(fetched).toEqual([]);
    await blurSwitch().click();
    await poll(async () => {
      const now = await preview();
      return now > 0 && now < plain_sharpness / 2;
    }, 'a blurred picture');
    expect(fetched.some((url) => url.endsWith('.wasm'))).toBe(true);
    expect(fetched.some((url) => url.endsWith('.tflite'))).toBe(true);
    for (const url of fetched) expect(url.startsWith(`${service.url}/app/assets/`)).toBe(true);
    const { headers } = await fetch(fetched.find((url) => url.endsWith('.wasm'))!);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('content-type')).toBe('application/wasm');
    expect(await inspectPage(ben, 'lobby-effects', 'each')).toEqual([]);
    const page = await fetch(`${service.url}/app/`);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+';/);
    // The worker prefetches its list for everybody.
    expect(await (await fetch(`${service.url}/app/sw.js`)).text()).not.toContain('segmentation');
  });

  it('restores the effects after a reload, and switches blur by keyboard', async () => {
    await ben.reload();
    await poll(() => blurSwitch().isChecked(), 'the switch');
    await poll(async () => {
      const now = await preview();
      return now > 0 && now < plain_sharpness / 2;
    }, 'a blurred picture');
    await blurSwitch().focus();
    await ben.keyboard.press('Space');
    await poll(async () => (await preview()) > plain_sharpness / 2, 'the plain picture');
    await ben.keyboard.press('Space');
    await ben.getByRole('switch', { name: noise, checked: true }).waitFor();
  });

  it('hides the background in the call until blur is switched off', async () => {
    await press(ben, 'Join');
    await ben.getByRole('button', { name: 'Stop camera' }).waitFor();
    await poll(async () => (await sharpnessForAda()) > 0, 'the picture');
    expect(await sharpnessForAda()).toBeLessThan(plain_sharpness / 2);
    await expectFrames();
    await effect(blur);
    expect(await inspectPage(ben, 'call-effects', 'each')).toEqual([]);
    await ben.keyboard.press('Escape');
    await switchEffect(blur, false);
    await poll(async () => (await sharpnessForAda()) > plain_sharpness / 2, 'the plain picture');
    await expectFrames();
    plain_sharpness_for_ada = await sharpnessForAda();
  });

  it('continues while the page is hidden, and after the camera was stopped and started', async () => {
    // What browsers do to a page that is not visible: no frame is announced.
    await ben.evaluate('HTMLVideoElement.prototype.requestVideoFrameCallback = () => 0');
    await switchEffect(blur, true);
    await poll(async () => (await sharpnessForAda()) < plain_sharpness_for_ada / 2, 'a blurred picture');
    await expectFrames();
    await press(ben, 'Stop camera');
    await press(ben, 'Start camera');
    await ben.getByRole('button', { name: 'Stop camera' }).waitFor();
    await expectFrames();
    await poll(async () => (await sharpnessForAda()) > 0, 'the picture');
    expect(await sharpnessForAda()).toBeLessThan(plain_sharpness_for_ada / 2);
  });

  it('suppresses noise until it is switched off', async () => {
    const settings = () =>
      ben.evaluate(
        `connections.flatMap((connection) => connection.getSenders()).filter(({ track }) => track?.kind === 'audio' && track.readyState === 'live').map(({ track }) => track.getSettings().noiseSuppression)`,
      );
    expect(await settings()).toEqual([true]);
    await switchEffect(noise, false);
    expect(await settings()).toEqual([false]);
    const { energy } = await receivedMedia(ada);
    await poll(async () => (await receivedMedia(ada)).energy > energy, 'more audio');
    await ben.reload();
    await ben.getByRole('button', { name: 'Devices' }).waitFor();
    await effect(noise);
    await ben.getByRole('menuitemcheckbox', { name: noise, checked: false }).waitFor();
  });
});
