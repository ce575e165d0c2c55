/** Pictures in the whole window: opened from posts and chats, with the mouse, the keyboard and fingers. */
import { beforeAll, expect, it } from 'vitest';
import type { CDPSession, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import {
  missing_browser,
  openTouchPhone,
  openTwoPeople,
  sessionOf,
  sizes,
  useBrowserWindows,
  visit,
} from '../../../browser/windows.ts';
import { requestAs } from '../../../running/running-people.ts';
import type { Service } from '../../../running/running-service.ts';

type Box = { x: number; y: number; width: number; height: number };

describeUnlessMissing(missing_browser, 'the lightbox', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    const media = [await upload('#3a6ea5', 1600, 900), await upload('#a5533a', 900, 1600), await upload('#3aa56e')];
    await asPage(ada, 'POST /statuses', { body: 'Three from the pier', media, visibility: 'public' });
    thread_id = await openThread(service, ada, ben);
    for (const [colour, body] of [
      ['#6a3aa5', 'One'],
      ['#a5953a', 'Two'],
    ] as const)
      await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body, media: [await upload(colour, 1600, 900)] });
  });

  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);
  /** Uploads a picture of ada. */
  async function upload(background: string, width = 1200, height = 800): Promise<string> {
    const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
    const bytes = await sharp({ create: { width, height, channels: 3, background, noise } })
      .tint(background)
      .jpeg()
      .toBuffer();
    return uploadBytes('pier.jpg', 'image/jpeg', bytes);
  }
  async function uploadBytes(name: string, mimeType: string, buffer: Buffer): Promise<string> {
    const { token } = await sessionOf(ada);
    const answer = await ada.request.post(`${service.url}/v1/files`, {
      headers: { authorization: `Bearer ${token}` },
      multipart: { file: { name, mimeType, buffer } },
    });
    return ((await answer.json()) as { id: string }).id;
  }
  /** A second of changing colours, recorded by the browser. */
  async function recordVideo(page: Page): Promise<Buffer> {
    const text = await page.evaluate(`new Promise((resolve) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
      const pen = canvas.getContext('2d');
      const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.split(',')[1]);
      recorder.ondataavailable = ({ data }) => reader.readAsDataURL(data);
      let frames = 0;
      const draw = () => {
        pen.fillStyle = 'hsl(' + frames * 6 + ' 60% 50%)';
        pen.fillRect(0, 0, 640, 360);
        frames += 1;
        if (frames < 60) requestAnimationFrame(draw);
        else recorder.stop();
      };
      recorder.start();
      draw();
    })`);
    return Buffer.from(String(text), 'base64');
  }

  const post = (page: Page) => page.getByRole('article').filter({ hasText: 'Three from the pier' });
  const linkOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const lightbox = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
  const anyLightbox = (page: Page) => page.locator('.lightbox:not([data-leaving])');
  const shownPicture = (page: Page) =>
    anyLightbox(page).locator('.lightbox-slide[aria-hidden=false] .lightbox-picture');
  const boxOf = async (element: Locator): Promise<Box> =>
    (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const widthOf = async (page: Page) => Math.round((await boxOf(shownPicture(page))).width);
  type Window = { document: { activeElement: unknown } };
  const isFocused = (element: Locator) =>
    element.evaluate((node) => (globalThis as unknown as Window).document.activeElement === node);
  const openHome = async (page: Page) => {
    await visit(page, `${service.url}/app/`);
    await post(page).waitFor();
  };
  const openChat = async (page: Page) => {
    await visit(page, `${service.url}/app/messages/${thread_id}`);
    await page.getByRole('log').getByText('Two', { exact: true }).waitFor();
  };
  const isLoaded = (page: Page) => expect.poll(() => shownPicture(page).locator('img[data-loaded]').count()).toBe(1);

  it('opens by click, leads to the pictures of the post, and closes by Escape, with the focus on the picture', async () => {
    await openHome(ada);
    const address = ada.url();
    const first = linkOf(ada, 'Picture 1 of 3, posted by ada');
    await first.click();
    await lightbox(ada, 'Picture 1 of 3, posted by ada').waitFor();
    await isLoaded(ada);
    const box = await boxOf(shownPicture(ada));
    expect(box.width / box.height).toBeCloseTo(16 / 9, 1);
    expect(box.width).toBeGreaterThan(1000);
    await anyLightbox(ada).getByText('1 of 3', { exact: true }).waitFor();
    expect(await inspectPage(ada, 'lightbox-post')).toEqual([]);
    expect(await ada.getByRole('button', { name: 'Previous picture' }).getAttribute('aria-disabled')).toBe('true');
    await ada.getByRole('button', { name: 'Next picture' }).click();
    await lightbox(ada, 'Picture 2 of 3, posted by ada').waitFor();
    await ada.keyboard.press('ArrowRight');
    await lightbox(ada, 'Picture 3 of 3, posted by ada').waitFor();
    await ada.keyboard.press('ArrowRight');
    await lightbox(ada, 'Picture 3 of 3, posted by ada').waitFor();
    await ada.keyboard.press('Home');
    await lightbox(ada, 'Picture 1 of 3, posted by ada').waitFor();
    await ada.keyboard.press('Escape');
    await anyLightbox(ada).waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(first)).toBe(true);
    expect(ada.url()).toBe(address);
  });

  it('opens by the keyboard, keeps the focus, and returns it to the picture that was shown last', async () => {
    await openHome(ada);
    await linkOf(ada, 'Picture 1 of 3, posted by ada').focus();
    await ada.keyboard.press('Enter');
    await lightbox(ada, 'Picture 1 of 3, posted by ada').waitFor();
    const passed = new Set<string>();
    for (let presses = 0; presses < 8; presses += 1) {
      await ada.keyboard.press('Tab');
      passed.add(
        String(
          await ada.evaluate("document.activeElement.closest('.lightbox') && document.activeElement.innerText.trim()"),
        ),
      );
    }
    expect([...passed].sort()).toEqual(['Close', 'Download', 'Next picture', 'Previous picture', 'Zoom in']);
    await ada.keyboard.press('End');
    await lightbox(ada, 'Picture 3 of 3, posted by ada').waitFor();
    await ada.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => isFocused(linkOf(ada, 'Picture 3 of 3, posted by ada'))).toBe(true);
  });

  it('is closed by going back, which stays on the page, and going back again leaves it', async () => {
    await openHome(ada);
    await openChat(ada);
    const address = ada.url();
    await ada.getByRole('log').getByRole('link').last().click();
    await anyLightbox(ada).waitFor();
    await ada.goBack();
    await anyLightbox(ada).waitFor({ state: 'detached' });
    expect(ada.url()).toBe(address);
    await ada.getByRole('log').getByRole('link').last().click();
    await anyLightbox(ada).waitFor();
    await ada.keyboard.press('Escape');
    await ada.keyboard.press('Escape');
    await anyLightbox(ada).waitFor({ state: 'detached' });
    expect(ada.url()).toBe(address);
    await ada.goBack();
    await post(ada).waitFor();
  });

  it('leaves the page where it was scrolled to, also with motion', async () => {
    await ada.emulateMedia({ reducedMotion: 'no-preference' });
    await ada.setViewportSize({ width: 1280, height: 360 });
    await openHome(ada);
    const picture = linkOf(ada, 'Picture 2 of 3, posted by ada');
    await picture.scrollIntoViewIfNeeded();
    const scrolled = () => ada.evaluate('Math.round(scrollY)');
    const before = Number(await scrolled());
    expect(before).toBeGreaterThan(0);
    for (const leave of [() => ada.keyboard.press('Escape'), () => ada.goBack()]) {
      await picture.click();
      await isLoaded(ada);
      await leave();
      await expect.poll(() => isFocused(picture)).toBe(true);
      // Neither the lightbox nor its fading copy remains.
      await ada.locator('.lightbox, .lightbox-veil').first().waitFor({ state: 'detached' });
      expect(await scrolled()).toBe(before);
    }
    await ada.setViewportSize(sizes.desk);
    await ada.emulateMedia({ reducedMotion: 'reduce' });
  });

  it('zooms by double click, wheel, keys and a button, moves what is zoomed, and closes by a click beside it', async () => {
    await openHome(ada);
    await linkOf(ada, 'Picture 3 of 3, posted by ada').click();
    await isLoaded(ada);
    const fitted = await widthOf(ada);
    const { x, y, width, height } = await boxOf(shownPicture(ada));
    const [middle_x, middle_y] = [x + width / 2, y + height / 2];
    await ada.mouse.dblclick(middle_x, middle_y);
    await expect.poll(() => widthOf(ada)).toBe(Math.round(fitted * 2.5));
    const before = await boxOf(shownPicture(ada));
    await ada.mouse.move(middle_x, middle_y);
    await ada.mouse.down();
    await ada.mouse.move(middle_x + 60, middle_y + 40, { steps: 4 });
    await ada.mouse.up();
    await expect.poll(async () => Math.round((await boxOf(shownPicture(ada))).x - before.x)).toBe(60);
    expect(await inspectPage(ada, 'lightbox-zoomed', 'each')).toEqual([]);
    await ada.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => widthOf(ada)).toBe(fitted);
    await ada.keyboard.press('+');
    await expect.poll(() => widthOf(ada)).toBe(Math.round(fitted * 1.5));
    await ada.keyboard.press('0');
    await expect.poll(() => widthOf(ada)).toBe(fitted);
    await ada.mouse.move(middle_x, middle_y);
    await ada.keyboard.down('Control');
    await ada.mouse.wheel(0, -50);
    await ada.keyboard.up('Control');
    await expect.poll(() => widthOf(ada)).toBeGreaterThan(fitted * 1.4);
    await ada.keyboard.press('0');
    await expect.poll(() => widthOf(ada)).toBe(fitted);
    await ada.mouse.click(x - 20, middle_y);
    await anyLightbox(ada).waitFor({ state: 'detached' });
  });

  it('downloads the picture, and leaves clicks with Ctrl to the browser', async () => {
    await openHome(ada);
    await linkOf(ada, 'Picture 1 of 3, posted by ada').click();
    const [file] = await Promise.all([
      ada.waitForEvent('download'),
      ada.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^asterism-[\d-]+\.webp$/);
    await ada.keyboard.press('Escape');
    await anyLightbox(ada).waitFor({ state: 'detached' });
    const [tab] = await Promise.all([
      ada.context().waitForEvent('page'),
      linkOf(ada, 'Picture 1 of 3, posted by ada').click({ modifiers: ['Control'] }),
    ]);
    await tab.waitForURL(/\/stream\?token=/);
    await tab.close();
    expect(await anyLightbox(ada).count()).toBe(0);
  });

  it('renews an expired address', async () => {
    await openHome(ada);
    const expired = '**/v1/files/*/stream?token=expired';
    let renewed = 0;
    await ada.route(expired, (route) => route.fulfill({ status: 401 }));
    await ada.route('**/v1/files/*/stream-token*', async (route) => {
      renewed += 1;
      await route.continue();
    });
    // The list has the address that has expired.
    await ada.route('**/v1/home*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(/stream\?token=[^"]+/g, 'stream?token=expired');
      await route.fulfill({ response: answer, body });
    });
    await ada.goto(`${service.url}/app/`);
    await linkOf(ada, 'Picture 2 of 3, posted by ada').click();
    await isLoaded(ada);
    expect(renewed).toBeGreaterThan(0);
    await ada.unrouteAll();
    await ada.keyboard.press('Escape');
  });

  it('plays a video of a chat among its pictures, with the controls of the browser, and stops it on going on', async () => {
    const chat = (await asPage(ada, 'POST /groups', { name: 'Pier films' })).id as string;
    const video = await uploadBytes('pier.webm', 'video/webm', await recordVideo(ada));
    await asPage(ada, `POST /groups/${chat}/chat`, { file_id: await upload('#6a3aa5') });
    await asPage(ada, `POST /groups/${chat}/chat`, { file_id: video });
    await asPage(ada, `POST /groups/${chat}/chat`, { file_id: await upload('#a5953a') });
    await visit(ada, `${service.url}/app/messages/group/${chat}`);
    const opener = linkOf(ada, 'Video, posted by you');
    await opener.waitFor();
    expect(await inspectPage(ada, 'chat-video')).toEqual([]);
    await opener.click();
    await anyLightbox(ada).getByText('2 of 3', { exact: true }).waitFor();
    const film = anyLightbox(ada).locator('video');
    await expect
      .poll(() => film.evaluate((node) => (node as unknown as { currentTime: number }).currentTime))
      .toBeGreaterThan(0);
    expect(await anyLightbox(ada).getByRole('button', { name: 'Zoom in' }).count()).toBe(0);
    expect(await inspectPage(ada, 'lightbox-video')).toEqual([]);
    await ada.keyboard.press('ArrowRight');
    await anyLightbox(ada).getByText('3 of 3', { exact: true }).waitFor();
    await expect.poll(() => film.evaluate((node) => (node as unknown as { paused: boolean }).paused)).toBe(true);
    await ada.getByRole('button', { name: 'Previous video' }).click();
    await anyLightbox(ada).getByText('2 of 3', { exact: true }).waitFor();
    // A press on a video plays it, and closes nothing.
    await film.click({ position: { x: 60, y: 60 } });
    await anyLightbox(ada).getByText('2 of 3', { exact: true }).waitFor();
    await ada.getByRole('button', { name: 'Close' }).focus();
    await ada.keyboard.press('Escape');
    await expect.poll(() => isFocused(opener)).toBe(true);
  });

  it('says that a picture could not be loaded', async () => {
    const phone = await windows.open('phone');
    await phone.goto(`${service.url}/robots.txt`);
    const session = JSON.stringify(JSON.stringify(await sessionOf(ben)));
    await phone.evaluate(`localStorage.setItem('asterism.session', ${session})`);
    await phone.route('**/v1/files/**', (route) => route.abort());
    await phone.goto(`${service.url}/app/messages/${thread_id}`);
    await phone.getByRole('log').getByRole('link').first().click();
    await anyLightbox(phone).getByText('Couldn’t load the picture.').waitFor();
    expect(await inspectPage(phone, 'lightbox-lost', 'each')).toEqual([]);
    await phone.context().close();
  });

  describeTouch();

  function describeTouch(): void {
    let phone: Page;
    let touch: CDPSession;
    const points = (...all: [x: number, y: number][]) => all.map(([x, y], id) => ({ x, y, id }));
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...all: [number, number][]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: points(...all) });
    const swipe = async ([x, y]: [number, number], [to_x, to_y]: [number, number]) => {
      await send('touchStart', [x, y]);
      for (const part of [0.25, 0.5, 0.75, 1]) await send('touchMove', [x + (to_x - x) * part, y + (to_y - y) * part]);
      await send('touchEnd');
    };

    beforeAll(async () => {
      phone = await openTouchPhone(windows, service, ben);
      touch = await phone.context().newCDPSession(phone);
    });

    it('is swiped, pinched and dragged away in a chat on a phone, over all pictures of the chat', async () => {
      await phone.goto(`${service.url}/app/messages/${thread_id}`);
      await phone.getByRole('log').getByRole('link').first().tap();
      await isLoaded(phone);
      await anyLightbox(phone).getByText('1 of 2', { exact: true }).waitFor();
      expect(await inspectPage(phone, 'lightbox-chat')).toEqual([]);
      await swipe([300, 420], [80, 420]);
      await anyLightbox(phone).getByText('2 of 2', { exact: true }).waitFor();
      await swipe([300, 420], [80, 420]);
      await anyLightbox(phone).getByText('2 of 2', { exact: true }).waitFor();
      await isLoaded(phone);
      const fitted = await widthOf(phone);
      await send('touchStart', [150, 420], [240, 420]);
      await send('touchMove', [105, 420], [285, 420]);
      await send('touchEnd');
      await expect.poll(() => widthOf(phone)).toBe(fitted * 2);
      await phone.touchscreen.tap(195, 420);
      await phone.touchscreen.tap(195, 420);
      await expect.poll(() => widthOf(phone)).toBe(fitted);
      await phone.touchscreen.tap(195, 420);
      await expect.poll(() => anyLightbox(phone).getAttribute('data-bars')).toBe(null);
      await phone.touchscreen.tap(195, 420);
      await expect.poll(() => anyLightbox(phone).getAttribute('data-bars')).toBe('');
      await swipe([80, 420], [300, 420]);
      await anyLightbox(phone).getByText('1 of 2', { exact: true }).waitFor();
      await swipe([195, 420], [195, 700]);
      await anyLightbox(phone).waitFor({ state: 'detached' });
      expect(new URL(phone.url()).pathname).toBe(`/app/messages/${thread_id}`);
    });

    it('has its order from right to left in Arabic', async () => {
      await phone.goto(`${service.url}/app/messages/${thread_id}`);
      await phone.evaluate("document.documentElement.dir = 'rtl'");
      await phone.getByRole('log').getByRole('link').first().tap();
      await anyLightbox(phone).getByText('1 of 2', { exact: true }).waitFor();
      await swipe([80, 420], [300, 420]);
      await anyLightbox(phone).getByText('2 of 2', { exact: true }).waitFor();
      await phone.keyboard.press('ArrowRight');
      await anyLightbox(phone).getByText('1 of 2', { exact: true }).waitFor();
      const box = await boxOf(shownPicture(phone));
      expect(Math.round(box.x + box.width / 2)).toBe(195);
      expect(await inspectPage(phone, 'lightbox-rtl', 'each')).toEqual([]);
    });
  }
});
