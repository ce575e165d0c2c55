/** One page leaves and another appears, with motion that neither the focus nor the keyboard waits for. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, networkQuiet, sizes } from '../../browser/windows.ts';

/** Pages change so slowly that what happens meanwhile can be seen; the test ends it. */
const slowly = '::view-transition-old(root), ::view-transition-new(root) { animation-duration: 60s !important; }';

describeUnlessMissing(missing_browser, 'pages that change', () => {
  let service: Service;
  let page: Page;
  const failures: string[] = [];
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, page } = await openSampleWindow(windows, 'phone'));
    page.on('pageerror', (error) => failures.push(error.message));
  });
  beforeEach(() => page.emulateMedia({ reducedMotion: 'no-preference' }));

  /** The animations of the pictures of the pages, which the browser names after the part that they show. */
  const motions = (shown = page) =>
    shown.evaluate<string[]>(`document.getAnimations().flatMap(({ animationName, effect }) =>
      /^::view-transition-(old|new)/.test(effect.pseudoElement ?? '')
        ? [effect.pseudoElement.slice(18) + ': ' + animationName.replace(/^-ua-view-transition-/, '')] : []).toSorted()`);
  const finish = (shown = page) =>
    shown.evaluate(`for (const motion of document.getAnimations())
      if (motion.effect.pseudoElement?.startsWith('::view-transition')) motion.finish()`);
  const open = async (size: keyof typeof sizes, shown = page) => {
    await shown.setViewportSize(sizes[size]);
    await shown.goto(`${service.url}/app/people`);
    await shown.getByRole('link', { name: '*jazz' }).waitFor();
    await networkQuiet(shown);
    await shown.addStyleTag({ content: slowly });
  };
  const focused = () => page.evaluate<string>('document.activeElement.innerText');
  const openTag = (shown = page) => shown.getByRole('link', { name: '*jazz' }).press('Enter');

  it('shows where a page leads on a phone, and gives it the focus at once', async () => {
    await open('phone');
    await openTag();
    await expect.poll(() => motions()).toEqual(['new(root): page-comes', 'old(root): page-recedes']);
    await expect.poll(focused).toBe('jazz');
    // The next page does not wait for the end of this motion.
    await page.goBack();
    await expect.poll(() => motions()).toEqual(['new(root): page-returns', 'old(root): page-goes']);
    expect(new URL(page.url()).pathname).toBe('/app/people');
    await finish();
    await expect.poll(() => motions()).toEqual([]);
    await page.getByRole('link', { name: '*jazz' }).click();
    await page.getByRole('heading', { name: '*jazz', level: 1 }).waitFor();
    await finish();
  });

  it('loses no click of a mouse or a finger while a page changes', async () => {
    const touch = await windows.open('phone', { has_touch: true });
    await touch.emulateMedia({ reducedMotion: 'no-preference' });
    await touch.context().addCookies(await page.context().cookies());
    await touch.goto(`${service.url}/robots.txt`);
    const session = await page.evaluate<string>(`localStorage.getItem('asterism.session')`);
    await touch.evaluate(`localStorage.setItem('asterism.session', ${JSON.stringify(session)})`);
    for (const [shown, press] of [
      [page, (x: number, y: number) => page.mouse.click(x, y)],
      [touch, (x: number, y: number) => touch.touchscreen.tap(x, y)],
    ] as const) {
      await open('phone', shown);
      await openTag(shown);
      await expect.poll(() => motions(shown)).toHaveLength(2);
      await shown.locator('.tag-more').waitFor({ state: 'attached' });
      await networkQuiet(shown);
      // Not by its name: a page that is a picture counts as invisible.
      const [x, y] = await shown.evaluate<[number, number]>(`(() => {
        const link = document.querySelector('.tag-more');
        link.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = link.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      })()`);
      await press(x, y);
      await shown.waitForURL(/\/app\/tags\//);
      await finish(shown);
    }
  });

  it('shows a chat and not an empty pane before it', async () => {
    await page.setViewportSize(sizes.phone);
    await page.goto(`${service.url}/app/messages`);
    await page.evaluate(`window.is_empty_seen = false; new MutationObserver(() => {
      window.is_empty_seen ||= document.querySelector('.show-detail .nothing-open') !== null;
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
    await page.getByRole('link', { name: 'Ben Okafor' }).click();
    await page.getByRole('heading', { name: 'Ben Okafor', level: 1 }).waitFor();
    expect(await page.evaluate('window.is_empty_seen')).toBe(false);
  });

  it('only fades at a desk, beside a list that stays', async () => {
    await open('desk');
    await openTag();
    await expect.poll(() => motions()).toHaveLength(4);
    expect((await motions()).join(' ')).not.toContain('page-');
    await finish();
    await expect.poll(() => motions()).toEqual([]);
  });

  it('changes at once with reduced motion, and while a search is typed', async () => {
    await open('phone');
    await page.goto(`${service.url}/app/search`);
    await page.addStyleTag({ content: slowly });
    await page.locator('[role="search"] input').fill('jazz');
    await page.getByRole('link', { name: '*jazz' }).waitFor();
    expect(await motions()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openTag();
    await page.getByRole('heading', { name: '*jazz', level: 1 }).waitFor();
    expect(await motions()).toEqual([]);
    expect(failures).toEqual([]);
  });
});
