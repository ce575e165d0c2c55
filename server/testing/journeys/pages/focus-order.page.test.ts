/** Tab leads through the main pages without hiding what has the focus, behind the tabs of a phone or otherwise. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { findHiddenFocus } from '../../browser/focus-order.ts';
import { pagesOf } from '../../browser/gallery-pages.ts';
import type { SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, networkQuiet, sizes, useBrowserWindows } from '../../browser/windows.ts';

/** By their names in the gallery. */
const main_pages = new Set(
  'home chats chat calls people you calendar-month activity person contact group tag-profile status profile'.split(' '),
);

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
});
