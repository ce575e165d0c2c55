import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const sources = join(import.meta.dirname, '..');

/** What may depend on the theme: none of it moves, hides or resizes anything. */
const COLOURS = ['color-scheme', 'color', 'background', 'box-shadow', 'filter'];

/** The properties that a style sheet sets, each with the selectors and conditions around it. */
function listProperties(css: string): { around: string; property: string }[] {
  const found: { around: string; property: string }[] = [];
  const around: string[] = [];
  for (const [, text = '', end] of css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]*)([{};])/g)) {
    if (end === '{') around.push(text.trim());
    else if (text.includes(':')) found.push({ around: around.join(' '), property: (text.split(':')[0] ?? '').trim() });
    if (end === '}') around.pop();
  }
  return found;
}

const dependsOnTheme = ({ around }: { around: string }) => /data-theme|prefers-color-scheme/.test(around);

it('a theme changes colours alone, so that what a page shows and where is checked in one of them', () => {
  const themed = globSync('**/*.css', { cwd: sources }).flatMap((name) =>
    listProperties(readFileSync(join(sources, name), 'utf8'))
      .filter(dependsOnTheme)
      .map(({ property }) => ({ name, property })),
  );
  expect(themed.length).toBeGreaterThan(50);
  expect(themed.filter(({ property }) => !property.startsWith('--') && !COLOURS.includes(property))).toEqual([]);
});

it('finds what else a theme changes', () => {
  const [one, other] = listProperties(
    "@media (width > 1px) { [data-theme='dark'] .a { margin: 0; } } .b { color: red }",
  );
  expect([one && dependsOnTheme(one), one?.property]).toEqual([true, 'margin']);
  expect([other && dependsOnTheme(other), other?.property]).toEqual([false, 'color']);
});
