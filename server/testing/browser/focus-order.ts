/** What has the focus while Tab leads through a page, and what hides it (WCAG 2.2, 2.4.7 and 2.4.11). */
import type { Locator, Page } from 'playwright-core';
import { poll } from '../running/running-service.ts';

/** Pages with more stops are not walked to their end. */
const max_stops = 200;

/** What is wrong with the focused element, by its name; null once the focus has left the page or is where it was before. */
const describe_stop = `(async () => {
  const moving = document.getAnimations().filter((animation) =>
    animation.timeline === document.timeline && animation.effect?.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(moving.map((animation) => animation.finished));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const passed = (window.passedByTab ??= new Set());
  const element = document.activeElement;
  if (element === null || element === document.body || passed.has(element)) return null;
  passed.add(element);
  const labels = [...(element.labels ?? [])];
  const name = (element.getAttribute('aria-label') ?? (labels[0]?.innerText || element.innerText || element.id || element.tagName))
    .trim().replace(/\\s+/g, ' ').slice(0, 60);
  const isShown = (node) => node && (getComputedStyle(node).outlineStyle !== 'none' || getComputedStyle(node).boxShadow !== 'none');
  // What is in a frame shows the focus itself.
  if (element.tagName === 'IFRAME') return '';
  const around = element.closest('.field-box, .file-button, .search, label');
  if (![element, around, ...labels, ...element.querySelectorAll('*')].some(isShown)) return name + ' shows no focus';
  const box = element.getBoundingClientRect();
  if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) return name + ' is outside of the window';
  const middle = [(Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2];
  const top = document.elementFromPoint(...middle);
  const isPart = (node) => element.contains(node) || node.contains(element) || labels.some((label) => label.contains(node));
  return top === null || isPart(top) ? '' : name + ' is covered by ' + top.tagName + ' ' + top.className;
})()`;

/** Presses Tab from the top of a page to its end. @returns the elements that show no focus or are hidden while they have it */
export async function findHiddenFocus(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (let presses = 0; presses < max_stops; presses += 1) {
    await page.keyboard.press('Tab');
    const problem = (await page.evaluate(describe_stop)) as string | null;
    if (problem === null) break;
    if (problem !== '') found.push(problem);
  }
  return found;
}

/** Where the focus is: in the topmost layer, beside it, or anywhere on a page without one. */
const describe_layer = `(() => {
  const layers = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')].filter((one) => !one.closest('[inert]'));
  return layers.length === 0 ? 'closed' : layers.at(-1).contains(document.activeElement) ? 'inside' : 'beside';
})()`;

/** What the focused button says, by its label or text; nothing while nothing has the focus. */
const focused_words = `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null`;

/**
 * Opens a menu or dialog by the keyboard, presses Tab until it has led through all of it, and closes it by Escape.
 * @returns what is wrong: the focus is beside the layer or not seen, Escape does not close it, or its opener has not got the focus back
 */
export async function findLostFocus(page: Page, opener: Locator): Promise<string[]> {
  const found: string[] = [];
  // By `evaluate`: the policy of the pages refuses the scripts of `waitForFunction`.
  const expectSoon = (expression: string, value: string | null, problem: string) =>
    poll(async () => (await page.evaluate(expression)) === value, problem, 30_000).catch(() => found.push(problem));
  // What is behind a layer has no role, by which it could be found again; some buttons are replaced when their menu is loaded.
  await opener.focus();
  const words = (await page.evaluate(focused_words)) as string | null;
  await opener.press('Enter');
  await expectSoon(describe_layer, 'inside', 'it opens without the focus');
  await page.evaluate('window.passedByTab = new Set()');
  found.push(...(await findHiddenFocus(page)));
  if ((await page.evaluate(describe_layer)) !== 'inside') found.push('Tab leads out of it');
  await page.keyboard.press('Escape');
  await expectSoon(describe_layer, 'closed', 'Escape does not close it');
  await expectSoon(focused_words, words, 'its opener has not got the focus back');
  return found;
}
