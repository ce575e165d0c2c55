/** Layers that leave with motion: an inert copy fades, while the focus and the keyboard are back at once. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { type SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, sizes } from '../../browser/windows.ts';

/** Leaving takes so long that what happens meanwhile can be seen; the test ends it. */
const slowly = `
  [data-leaving] { animation-duration: 60s !important; }
  ::picker(select) { transition-duration: 60s !important; }`;

describeUnlessMissing(missing_browser, 'layers that leave', () => {
  let service: Service;
  let page: Page;
  let sample: SampleData;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'desk'));
  });
  beforeEach(() => page.emulateMedia({ reducedMotion: 'no-preference' }));

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

  it('lets the emoji picker leave as it was scrolled, and the suggestions of a name', async () => {
    await page.setViewportSize(sizes.desk);
    await page.goto(`${service.url}/app/messages/group/${sample.group_id}`);
    await page.getByRole('button', { name: 'Emoji' }).click();
    const picker = page.getByRole('dialog', { name: 'Emoji' });
    await picker.getByRole('gridcell').first().waitFor();
    await page.evaluate(`document.querySelector('.emoji-view').scrollTo(0, 400)`);
    const place = await picker.boundingBox();
    await page.addStyleTag({ content: slowly });
    await page.keyboard.press('Escape');
    await copies().waitFor({ state: 'attached' });
    expect(await motions()).toEqual([['menu emoji-picker', 'fade']]);
    expect(await copies().boundingBox()).toEqual(place);
    expect(await page.evaluate(`document.querySelector('[data-leaving] .emoji-view').scrollTop`)).toBe(400);
    await finish();
    await expect.poll(() => copies().count()).toBe(0);

    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('@be');
    await page.getByRole('option', { name: /Ben Okafor/ }).waitFor();
    await page.keyboard.press('Escape');
    await copies().waitFor({ state: 'attached' });
    expect(await motions()).toEqual([['menu suggestions', 'fade']]);
    expect(await page.getByRole('option').count()).toBe(0);
    await finish();
    await expect.poll(() => copies().count()).toBe(0);
  });

  it('lets the list of a select field leave, and Escape closes no dialog with it', async () => {
    await page.setViewportSize(sizes.desk);
    await page.goto(`${service.url}/app/tags`);
    await page.getByRole('button', { name: 'New tag' }).click();
    const field = page.getByLabel('Who may follow');
    await field.press('Enter');
    const isOpen = () => page.evaluate(`document.querySelector('select:open') !== null`);
    await expect.poll(isOpen).toBe(true);
    await page.addStyleTag({ content: slowly });
    await page.keyboard.press('Escape');
    await expect.poll(isOpen).toBe(false);
    // It is closed, and still there: the page is not told of the list's own animation.
    expect(await page.getByRole('option', { name: 'People you let in' }).isVisible()).toBe(true);
    await page.getByRole('dialog', { name: 'New tag' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'New tag' }).waitFor({ state: 'detached' });
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
