/** What has the focus while Tab leads through a page, and what hides it (WCAG 2.2, 2.4.7 and 2.4.11). */
import type { Page } from 'playwright-core';

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
