/**
 * Checks a page of the web client in its current state: by axe's rules, for its width, and for what the keyboard can
 * reach.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sizes } from './windows.ts';

/** Where screenshots of all pages are stored on request. */
const pictures = process.env['PAGES_PICTURES_DIR'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** In addition to WCAG: landmarks, one main heading, and headings that skip no level. */
const additional_rules = { 'heading-order': { enabled: true }, 'page-has-heading-one': { enabled: true } };

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

/**
 * Every size in every theme; each size and each theme once; or, where colours and structure were checked before, each
 * size, of which axe reads one.
 */
const looks = {
  all: ['phone light', 'phone dark', 'desk light', 'desk dark'],
  each: ['phone dark', 'desk light'],
  phone: ['desk light', 'phone light'],
  desk: ['phone light', 'desk light'],
} as const;
type Looks = keyof typeof looks;
/** The rules that depend on colours alone. */
const colour_rules = ['color-contrast', 'link-in-text-block'];
const without_colour_rules = Object.fromEntries(colour_rules.map((rule) => [rule, { enabled: false }]));

/**
 * Resolves once nothing moves except endless animations. The end of one animation may start another, and the page learns
 * of a new size or theme with the next frame.
 */
async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const moving = () => document.getAnimations().filter((animation) =>
      animation.playState === 'running' && animation.effect.getComputedTiming().iterations !== Infinity);
    for (let all = moving(); all.length > 0; all = moving()) await Promise.allSettled(all.map((animation) => animation.finished));
  })()`);
}

/** The rules of axe for a page in one of its looks. */
function rulesFor(combinations: Looks, theme: string) {
  // A theme changes colours alone, which `themes.test.ts` checks: in the second one of a size the rest is as before.
  if (combinations === 'all' && theme === 'dark') return { runOnly: { type: 'rule', values: colour_rules } };
  const has_colours = combinations === 'all' || combinations === 'each';
  return { runOnly: rules, rules: { ...additional_rules, ...(has_colours ? {} : without_colour_rules) } };
}

/** What axe finds in the page. */
async function runAxe(page: Page, name: string, chosen: ReturnType<typeof rulesFor>): Promise<string[]> {
  const options = JSON.stringify({ ...chosen, resultTypes: ['violations'], preload: false });
  const violations = (await page.evaluate(
    `axe.run(document, ${options}).then((result) => result.violations)`,
  )) as Violation[];
  return violations.map(
    ({ id, nodes }) =>
      `${name}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
  );
}

/** The problems that axe and a check of the width find in the page in its current state. */
export async function inspectPage(page: Page, name: string, combinations: Looks = 'all'): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize() ?? sizes.desk;
  // A change of size or theme must not be visible in progress.
  const was_reduced = await page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches");
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Once in a document: pages change without loading it again.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  for (const look of looks[pictures ? 'all' : combinations]) {
    const [size, theme] = look.split(' ') as ['phone' | 'desk', 'light' | 'dark'];
    await page.setViewportSize(sizes[size]);
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await animationsEnded(page);
    if (combinations === 'all' || combinations === 'each' || size === combinations)
      found.push(...(await runAxe(page, `${name} ${size} ${theme}`, rulesFor(combinations, theme))));
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(overflow) > 0) found.push(`${name} ${size} ${theme}: ${String(overflow)} px wider than the window`);
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.nav a')].filter((link) => link.getBoundingClientRect().right > innerWidth || link.getBoundingClientRect().left < 0).length`,
    );
    if (Number(cut) > 0)
      found.push(`${name} ${size} ${theme}: ${String(cut)} navigation links are outside of the window`);
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

/** The name of the focused element, and whether its focus is visible, once no animation moves it. */
export async function focusedElement(page: Page): Promise<Focused> {
  return page.evaluate(`(async () => {
    const moving = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime < Infinity);
    await Promise.allSettled(moving.map((animation) => animation.finished));
    const element = document.activeElement;
    const labelled = element.labels?.[0]?.innerText ?? '';
    const name = element.getAttribute('aria-label') ?? (labelled || element.innerText || element.id || element.tagName);
    const shown = (node) => node && (getComputedStyle(node).outlineStyle !== 'none' || getComputedStyle(node).boxShadow !== 'none');
    const box = element.getBoundingClientRect();
    const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    return { name: name.trim().replace(/\\s+/g, ' '), is_visible: inside && Boolean(shown(element) || shown(element.closest('.field-box, .file-button, .search'))) };
  })()`);
}

/**
 * Presses Tab until an element of this name has the focus.
 * @throws an error that lists the elements passed when it is not reached, or when one of them does not show its focus
 */
export async function tabTo(page: Page, name: RegExp, max_presses = 60): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < max_presses; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await focusedElement(page);
    passed.push(stop.name);
    if (!stop.is_visible) throw new Error(`the focus on "${stop.name}" is not visible, after ${passed.join(' > ')}`);
    if (name.test(stop.name)) return;
  }
  throw new Error(`${String(name)} is not reached by Tab: ${passed.join(' > ')}`);
}

/** How much of the page has moved by itself since it was opened (the layout shift score; below 0.1 is good). */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => list.getEntries().forEach((entry) => { if (!entry.hadRecentInput) sum += entry.value; });
    const observer = new PerformanceObserver(add);
    observer.observe({ type: 'layout-shift', buffered: true });
    // Buffered entries are delivered before the second frame from now.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
}

/** A script that stores in `had_placeholders` whether the page has ever shown a placeholder. */
export const watch_placeholders = `new MutationObserver(() => {
  window.had_placeholders ||= document.querySelector('main .skel') !== null;
}).observe(document, { childList: true, subtree: true });`;

/** Holds back the code of the client in a page. @returns releases it */
export async function holdCode(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/app/assets/*.js', async (route) => released.then(async () => route.continue()));
  return release;
}
