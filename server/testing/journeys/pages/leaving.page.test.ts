/** Layers that leave with motion: an inert copy fades, while the focus and the keyboard are back at once. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, sizes } from '../../browser/windows.ts';

/** Leaving takes so long that what happens meanwhile can be seen; the test ends it. */
const slowly = '[data-leaving] { animation-duration: 60s !important; }';

describeUnlessMissing(missing_browser, 'layers that leave', () => {
  let service: Service;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, page } = await openSampleWindow(windows, 'desk'));
  }, 120_000);
  beforeEach(() => page.emulateMedia({ reducedMotion: 'no-preference' }));
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  const copies = () => page.locator('[data-leaving]');
  // `focusedElement` waits for the end of all motion; here the focus must be back before.
  const focused = () => page.evaluate<string>('document.activeElement.innerText');
  /** The class and the animations of each layer that leaves. */
  const motions = () =>
    page.evaluate<string[][]>(`[...document.querySelectorAll('[data-leaving]')].map((layer) => [
      layer.className, ...layer.getAnimations().map((motion) => motion.animationName)])`);
  const finish = () =>
    page.evaluate(`for (const copy of document.querySelectorAll('[data-leaving]'))
      for (const motion of copy.getAnimations()) motion.finish()`);
  const dialog = () => page.getByRole('dialog', { name: 'Share *jazz' });
  const openSheet = async (size: keyof typeof sizes) => {
    await page.setViewportSize(sizes[size]);
    await page.goto(`${service.url}/app/t/jazz`);
    await page.getByRole('button', { name: 'Share *jazz' }).click();
    await page.addStyleTag({ content: slowly });
    await dialog().waitFor();
  };

  it.each([
    ['phone', 'to-below'],
    ['desk', 'shrink'],
  ] as const)('lets a sheet leave on a %s, with the focus and the page back at once', async (size, motion) => {
    await openSheet(size);
    await page.keyboard.press('Escape');
    await copies().first().waitFor({ state: 'attached' });
    expect(await dialog().count()).toBe(0);
    await expect.poll(focused).toBe('Share *jazz');
    expect((await motions()).toSorted()).toEqual([
      ['scrim', 'fade'],
      ['sheet', motion],
    ]);
    // While it leaves, the keyboard opens it again.
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await copies().count()).toBe(2);
    await finish();
    await expect.poll(() => copies().count()).toBe(0);
    expect(await dialog().count()).toBe(1);
  });

  it('lets a menu leave where it was', async () => {
    await page.setViewportSize(sizes.desk);
    await page.goto(`${service.url}/app/contacts`);
    const opener = page.getByRole('button', { name: 'Import or export' });
    await opener.click();
    const menu = page.getByRole('menu');
    await menu.waitFor();
    const place = await menu.boundingBox();
    await page.addStyleTag({ content: slowly });
    await page.keyboard.press('Escape');
    await copies().waitFor({ state: 'attached' });
    await expect.poll(focused).toBe('Import or export');
    expect(await motions()).toEqual([['menu', 'fade']]);
    expect(await copies().boundingBox()).toEqual(place);
    await finish();
    await expect.poll(() => copies().count()).toBe(0);
  });

  it('removes a layer at once with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openSheet('phone');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Share *jazz');
    expect(await copies().count()).toBe(0);
  });
});
