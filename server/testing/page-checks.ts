/** Looks at a page of the web client as it stands: by axe's rules, for its width, and for what the keyboard can reach. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sizes } from './windows.ts';

/** Where pictures of all pages are left to be looked at, when somebody wants them. */
const pictures = process.env['PAGES_PICTURES_DIR'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Beside WCAG's: landmarks, one main heading, and headings that skip no level. */
const own_rules = { 'heading-order': { enabled: true }, 'page-has-heading-one': { enabled: true } };

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

/** Every size in every theme, or each size and each theme once. */
const looks = {
  all: ['phone light', 'phone dark', 'desk light', 'desk dark'],
  each: ['phone dark', 'desk light'],
} as const;

/** Resolves once nothing moves any more but what never stops. The end of one motion may begin another. */
async function motionOver(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const moving = () => document.getAnimations().filter((one) =>
      one.playState === 'running' && one.effect.getComputedTiming().iterations !== Infinity);
    for (let all = moving(); all.length > 0; all = moving()) await Promise.allSettled(all.map((one) => one.finished));
  })()`);
}

/** What axe and a look at the width find wrong with the page as it stands. */
export async function inspectPage(page: Page, name: string, which: keyof typeof looks = 'all'): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize() ?? sizes.desk;
  // Nothing is to be seen of a change of size or theme on its way.
  const was_reduced = await page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches");
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axe);
  for (const look of looks[pictures ? 'all' : which]) {
    const [size, theme] = look.split(' ') as ['phone' | 'desk', 'light' | 'dark'];
    await page.setViewportSize(sizes[size]);
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await motionOver(page);
    const options = JSON.stringify({ runOnly: rules, rules: own_rules, resultTypes: ['violations'], preload: false });
    const violations = (await page.evaluate(
      `axe.run(document, ${options}).then((result) => result.violations)`,
    )) as Violation[];
    for (const { id, nodes } of violations)
      found.push(
        `${name} ${size} ${theme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
      );
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(overflow) > 0) found.push(`${name} ${size} ${theme}: ${String(overflow)} px wider than the window`);
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.nav a')].filter((one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0).length`,
    );
    if (Number(cut) > 0) found.push(`${name} ${size} ${theme}: ${String(cut)} places are out of the window`);
    if (pictures) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({
        path: join(pictures, `${name}-${size}-${theme}.png`),
        fullPage: !name.startsWith('call'),
      });
    }
  }
  await page.setViewportSize(before);
  if (!was_reduced) await page.emulateMedia({ reducedMotion: null });
  return found;
}

type Focused = { name: string; is_visible: boolean };

/** The name of what has the focus, and whether one sees that it has, once nothing moves on its way to its place. */
export async function focusedElement(page: Page): Promise<Focused> {
  return page.evaluate(`(async () => {
    const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime < Infinity);
    await Promise.allSettled(moving.map((one) => one.finished));
    const element = document.activeElement;
    const labelled = element.labels?.[0]?.innerText ?? '';
    const name = element.getAttribute('aria-label') ?? (labelled || element.innerText || element.id || element.tagName);
    const shown = (one) => one && (getComputedStyle(one).outlineStyle !== 'none' || getComputedStyle(one).boxShadow !== 'none');
    const box = element.getBoundingClientRect();
    const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    return { name: name.trim().replace(/\\s+/g, ' '), is_visible: inside && Boolean(shown(element) || shown(element.closest('.field-box, .file-button, .search'))) };
  })()`);
}

/**
 * Presses Tab until something of this name has the focus.
 * @throws an error that names the way when it is not reached, or when a stop on the way does not show that it has the focus
 */
export async function tabTo(page: Page, name: RegExp, most = 60): Promise<void> {
  const way: string[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await focusedElement(page);
    way.push(stop.name);
    if (!stop.is_visible) throw new Error(`the focus on "${stop.name}" is not to be seen, after ${way.join(' > ')}`);
    if (name.test(stop.name)) return;
  }
  throw new Error(`${String(name)} is not reached by Tab: ${way.join(' > ')}`);
}

/** How much of the page has moved by itself since it was opened (the layout shift score; below 0.1 is good). */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) sum += one.value; });
    const observer = new PerformanceObserver(add);
    observer.observe({ type: 'layout-shift', buffered: true });
    // What was buffered comes before the second frame from now.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
}
