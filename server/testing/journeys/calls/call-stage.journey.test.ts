/** The stage of a call of five in the browser: pinned tiles, shared screens, and controls that hide. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { joinCrowd, type Crowd } from '../../running/call-crowd.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  areaLink,
  missing_browser,
  openTwoPeople,
  signUp,
  sizes,
  useBrowserWindows,
  waitForHome,
} from '../../browser/windows.ts';

describeStory(missing_browser, 'the stage of a call', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let crowd: Crowd;
  let join_code = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'desk' }));
    await areaLink(ada, /^Call$/).click();
    await ada.getByRole('button', { name: 'New room' }).click();
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ada.url().split('/').at(-1)?.split('?')[0] ?? '';
    await ada.getByRole('button', { name: /^Who can join/ }).click();
    await ada.getByRole('menuitemradio', { name: /^Public/ }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
    await ben.goto(`${service.url}/app/call/${join_code}?microphone=off&camera=off`);
    await ben.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    crowd = await joinCrowd(service, join_code, 3);
    await poll(async () => (await ada.locator('.tile').count()) === 5, 'everybody’s tile');
  });
  afterAll(async () => {
    await crowd?.leave();
  });

  const tile = (page: Page, name: string) => page.locator('.tile', { hasText: name });
  /** The area of a tile, in thousands of pixels. */
  const areaOf = async (page: Page, name: string) => {
    const box = await tile(page, name).boundingBox();
    return ((box?.width ?? 0) * (box?.height ?? 0)) / 1000;
  };
  const isLarge = (page: Page, name: string, other: string) =>
    poll(async () => (await areaOf(page, name)) > 3 * (await areaOf(page, other)), `${name} large`);
  const press = async (page: Page, name: string) => {
    const button = page.getByRole('button', { name, exact: true });
    // The button is there while the pointer is on its tile, which may move away from under it.
    const click = async () => {
      await tile(page, name.replace(/^(Pin|Unpin) /, '')).hover();
      await button.click({ timeout: 2_000 });
      return true;
    };
    await poll(() => click().catch(() => false), `"${name}" clicked`);
  };

  it('keeps a pinned participant large, also oneself, until they are unpinned', async () => {
    await press(ada, 'Pin dara');
    await isLarge(ada, 'dara', 'ben');
    expect(await inspectPage(ada, 'call-pinned', 'each')).toEqual([]);
    await press(ada, 'Pin ada (you)');
    await isLarge(ada, 'ada (you)', 'dara');
    await press(ada, 'Unpin ada (you)');
    await poll(async () => Math.abs((await areaOf(ada, 'ada')) - (await areaOf(ada, 'dara'))) < 1, 'the gallery');
  });

  it('can pin by the keyboard', async () => {
    await ada.getByRole('button', { name: 'Pin dara', exact: true }).focus();
    await ada.keyboard.press('Enter');
    await isLarge(ada, 'dara', 'ben');
    await ada.keyboard.press('Enter');
    await poll(async () => Math.abs((await areaOf(ada, 'ada')) - (await areaOf(ada, 'dara'))) < 1, 'the gallery');
  });

  it('shows a shared screen large to others and not to who shares it', async () => {
    await ben.getByRole('button', { name: 'Share screen' }).click();
    await isLarge(ada, 'ben, screen', 'dara');
    await ben.getByText('Everyone in the call sees your screen.').waitFor();
    expect(await tile(ben, 'screen').count()).toBe(0);
    expect(await inspectPage(ben, 'call-sharing', 'each')).toEqual([]);
    await ben.getByRole('status').getByRole('button', { name: 'Stop sharing' }).click();
    await tile(ada, 'ben, screen').waitFor({ state: 'detached' });
    await ben.getByText('Everyone in the call sees your screen.').waitFor({ state: 'detached' });
  });

  it('announces a screen while somebody is pinned, and shows it large once it is pinned instead', async () => {
    await press(ada, 'Pin dara');
    await ben.getByRole('button', { name: 'Share screen' }).click();
    await ada.getByText('ben is sharing their screen.').waitFor();
    await isLarge(ada, 'dara', 'ben, screen');
    await press(ada, 'Pin ben, screen');
    await isLarge(ada, 'ben, screen', 'dara');
    // The pinned screen ends: the gallery returns.
    await ben.locator('.call-controls').getByRole('button', { name: 'Stop sharing' }).click();
    await poll(async () => Math.abs((await areaOf(ada, 'ada')) - (await areaOf(ada, 'dara'))) < 1, 'the gallery');
  });

  it('shows the screen that was shared last', async () => {
    await ada.getByRole('button', { name: 'Share screen' }).click();
    await ben.getByRole('button', { name: 'Share screen' }).click();
    const zoe = await windows.open('desk');
    await signUp(service, zoe, 'zoe', '+14155550103');
    await zoe.goto(`${service.url}/app/call/${join_code}?microphone=off&camera=off`);
    await isLarge(zoe, 'ben, screen', 'ada, screen');
    for (const page of [ada, ben])
      await page.locator('.call-controls').getByRole('button', { name: 'Stop sharing' }).click();
    await zoe.getByRole('button', { name: 'Leave', exact: true }).click();
  });

  it('turns nothing on after a reload that was turned off', async () => {
    await ben.getByRole('button', { name: 'Leave', exact: true }).click();
    await waitForHome(ben);
    await ben.goto(`${service.url}/app/call/${join_code}?camera=on`);
    for (const name of ['Mute', 'Stop camera']) await ben.getByRole('button', { name, exact: true }).click();
    for (const name of ['Unmute', 'Start camera']) await ben.getByRole('button', { name, exact: true }).waitFor();
    await ben.reload();
    for (const name of ['Unmute', 'Start camera']) await ben.getByRole('button', { name, exact: true }).waitFor();
    // Opening another page by its address leaves the call, and the microphone remains off in it.
    await ben.goto(`${service.url}/app/`);
    await waitForHome(ben);
    await ben.goto(`${service.url}/app/call/${join_code}`);
    for (const name of ['Unmute', 'Start camera']) await ben.getByRole('button', { name, exact: true }).waitFor();
  });

  it('hides its controls in a low window while they are not used, and shows them again', async () => {
    await ada.setViewportSize({ width: 844, height: 390 });
    const opacity = () => ada.evaluate(`getComputedStyle(document.querySelector('.call-controls')).opacity`);
    await ada.mouse.move(400, 200);
    await expect.poll(opacity).toBe('1');
    await expect.poll(opacity).toBe('0');
    await ada.mouse.move(410, 210);
    await expect.poll(opacity).toBe('1');
    await ada.setViewportSize(sizes.desk);
    expect(await inspectPage(ada, 'call-controls-back', 'each')).toEqual([]);
  });

  /** The names and buttons of tiles that the header, the controls or a toast covers, even in part. */
  const coveredParts = (page: Page) =>
    page.evaluate<string[]>(`(() => {
      const above = [...document.querySelectorAll('.call-header, .call-controls, .toast')].map((one) => one.getBoundingClientRect());
      const isCovered = (part) => {
        const box = part.getBoundingClientRect();
        return above.some(({ left, top, right, bottom }) =>
          box.left < right - 1 && left < box.right - 1 && box.top < bottom - 1 && top < box.bottom - 1);
      };
      return [...document.querySelectorAll('.tile-name, .tile-mark, .tile:not([data-small]) > .tile-pin, .stage-pages > *')]
        .filter(isCovered)
        .map((part) => part.textContent);
    })()`);

  it('covers no name or button of a tile by its controls in a low window, and gives tiles their room while they hide', async () => {
    for (const [width, height] of [
      [844, 390],
      [1280, 480],
    ] as const) {
      await ada.setViewportSize({ width, height });
      await ada.mouse.move(400, 200 + (width % 7));
      await ada.locator('main.call:not([data-bare])').waitFor();
      await expect.poll(() => coveredParts(ada)).toEqual([]);
      // With the chat shown they do not hide.
      if ((await ada.locator('main.call[data-side]').count()) > 0) continue;
      const before = await areaOf(ada, 'dara');
      await ada.locator('main.call[data-bare]').waitFor();
      await expect.poll(() => areaOf(ada, 'dara')).toBeGreaterThan(before * 1.2);
    }
    await ada.setViewportSize(sizes.desk);
  });

  it('shows a toast where it covers no names and no small tiles', async () => {
    await ada.setViewportSize(sizes.phone);
    await press(ada, 'Pin dara');
    await ben.getByRole('button', { name: 'Share screen' }).click();
    await ada.locator('.toast', { hasText: 'ben is sharing their screen.' }).waitFor();
    const covered = await coveredParts(ada);
    const toast = await ada.locator('.toast').boundingBox();
    const small = await tile(ada, 'ben, screen').boundingBox();
    await press(ada, 'Unpin dara');
    await ben.locator('.call-controls').getByRole('button', { name: 'Stop sharing' }).click();
    await tile(ada, 'ben, screen').waitFor({ state: 'detached' });
    await ada.setViewportSize(sizes.desk);
    expect(covered).toEqual([]);
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(small?.y ?? 0);
  });

  it('shows those who stay who the host is after the host has left', async () => {
    const kim = await windows.open('desk');
    await signUp(service, kim, 'kim', '+14155550104');
    await kim.goto(`${service.url}/app/call/${join_code}?microphone=off`);
    await kim.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    await ada.getByRole('button', { name: 'Leave', exact: true }).click();
    await kim.getByText(/ is the host now\.$/).waitFor();
  });
});
