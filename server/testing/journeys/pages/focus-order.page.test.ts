/** Tab leads through the main pages without hiding what has the focus, behind the tabs of a phone or otherwise. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { findHiddenFocus, findLostFocus } from '../../browser/focus-order.ts';
import { pagesOf } from '../../browser/gallery-pages.ts';
import type { SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, networkQuiet, sizes, useBrowserWindows } from '../../browser/windows.ts';

/** By their names in the gallery. */
const main_pages = new Set(
  'home chats chat calls people you calendar-month activity person contact group tag-profile status profile'.split(' '),
);

/** Openers of menus, sheets and dialogs of all kinds, by the page that they are on. */
const layers = new Map<string, readonly (string | RegExp)[]>([
  ['home', [/Say something/, /^Ben Okafor$|^B Ben Okafor$/, /^More about this post/, /^Picture, posted by/]],
  ['chats', [/^Chat options for Ben/]],
  ['chat', [/^More about Ben/, /^More about “The pier/, 'Edited']],
  ['contacts', ['Add', 'Import or export']],
  ['group', ['Edit', 'Delete the group']],
  ['tag-profile', [/^Share/]],
  ['calendar-month', ['New event', 'Subscribe from another calendar']],
  ['event', ['Edit', 'Share']],
  ['map', ['Share your location', 'New link']],
  ['scheduled', ['Reminder']],
  ['tags', ['New tag']],
  ['widgets', ['New widget']],
]);

describeUnlessMissing(missing_browser, 'the focus', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'phone'));
  }, 120_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  it.each(['phone', 'desk'] as const)('is visible on the main pages, at the size of a %s', async (size) => {
    await page.setViewportSize(sizes[size]);
    const found: string[] = [];
    for (const [name, path] of pagesOf(sample).filter(([one]) => main_pages.has(one))) {
      await page.goto(`${service.url}/app/${path}`);
      await page.getByRole('main').waitFor();
      await networkQuiet(page);
      found.push(...(await findHiddenFocus(page)).map((problem) => `${name}: ${problem}`));
    }
    expect(found).toEqual([]);
  });

  it('leads through the top of a tag first', async () => {
    const [, path] = pagesOf(sample).find(([one]) => one === 'tag-profile') ?? [];
    await page.setViewportSize(sizes.phone);
    await page.goto(`${service.url}/app/${path}`);
    await page.getByRole('button', { name: /^Share/ }).waitFor();
    await page.getByRole('main').focus();
    const names: string[] = [];
    for (let presses = 0; presses < 2; presses += 1) {
      await page.keyboard.press('Tab');
      names.push(await page.evaluate('document.activeElement.textContent'));
    }
    expect(names).toEqual(['Back', expect.stringMatching(/^Share \*/)]);
  });

  it('stays in what is open, and returns to its opener', async () => {
    await page.setViewportSize(sizes.phone);
    const found: string[] = [];
    for (const [name, path] of pagesOf(sample).filter(([one]) => layers.has(one))) {
      await page.goto(`${service.url}/app/${path}`);
      await page.getByRole('main').waitFor();
      await networkQuiet(page);
      for (const opener of layers.get(name) ?? []) {
        const found_one = page
          .getByRole('button', { name: opener })
          .or(page.getByRole('link', { name: opener }))
          .first();
        const problems = await findLostFocus(page, found_one);
        found.push(...problems.map((problem) => `${name}, ${opener.toString()}: ${problem}`));
      }
    }
    expect(found).toEqual([]);
  }, 120_000);
});
