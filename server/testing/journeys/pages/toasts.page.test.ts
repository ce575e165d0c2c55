/** Toasts on a phone cover neither a composer nor the tabs nor the main button of a page. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { SampleData } from '../../browser/sample-data.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, visit } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'toasts on a phone', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'phone'));
  });

  /** What of this the toast covers, as classes. */
  const covered = async (selector: string): Promise<string[]> => {
    await page.locator('.toast').waitFor();
    return (await page.evaluate(`(async () => {
      await Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished));
      const own = document.querySelector('.toast').getBoundingClientRect();
      const { innerHeight } = window;
      if (own.top < 0 || own.bottom > innerHeight) return ['outside of the window'];
      return [...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => {
        const { left, right, top, bottom, width } = one.getBoundingClientRect();
        return width > 1 && left < own.right && right > own.left && top < own.bottom && bottom > own.top;
      }).map((one) => one.className);
    })()`)) as string[];
  };

  it('are above the composer of a chat, also while it has many lines', async () => {
    await visit(page, `${service.url}/app/messages/${sample.thread_id}`);
    await page.getByRole('textbox', { name: 'Message' }).fill('One\nTwo\nThree\nFour\nFive');
    await page
      .getByRole('button', { name: /^More about “/ })
      .last()
      .press('Enter');
    await page.getByRole('menuitem', { name: 'Copy', exact: true }).click();
    expect(await covered('.write')).toEqual([]);
  });

  it('are above the button that brought them, wherever it is', async () => {
    await visit(page, `${service.url}/app/settings/profile`);
    const save = page.getByRole('main').getByRole('button', { name: 'Save', exact: true });
    await page.getByLabel('Display name').first().fill('Ada M.');
    await save.evaluate(`(button) => Object.assign(button.style, { position: 'fixed', bottom: '90px' })`);
    await save.click();
    expect(await covered('.button.primary, .nav')).toEqual([]);
  });

  it.each(['reduce', 'no-preference'] as const)(
    'are above a sheet that is opened meanwhile (motion: %s)',
    async (motion) => {
      await page.emulateMedia({ reducedMotion: motion });
      await page.goto(`${service.url}/app/status/${sample.post_id}`);
      const menu = page.getByRole('button', { name: 'More about this post' }).first();
      await menu.click();
      await page.getByRole('menuitem', { name: /^(Mute|Unmute) / }).click();
      await page.locator('.toast').waitFor();
      await menu.click();
      await page.getByRole('menuitem', { name: /^Block / }).click();
      await page.getByRole('alertdialog').waitFor();
      await expect.poll(() => covered('.dialog')).toEqual([]);
      await page.keyboard.press('Escape');
    },
  );
});
