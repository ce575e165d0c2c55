import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const sources = join(import.meta.dirname, '..');

/** Splits a selector at separators that are in no brackets. */
function split(text: string, separators: RegExp): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (/[([]/.test(sign)) depth += 1;
    if (/[)\]]/.test(sign)) depth -= 1;
    if (depth === 0 && separators.test(sign)) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The last element of a selector without what says nothing of its name: `:has(…)`, `:not(…)`, `*`. */
function subjectOf(selector: string): string {
  let subject = split(selector, /[\s>+~]/).at(-1) ?? '';
  for (let before = ''; before !== subject;) {
    before = subject;
    subject = subject.replace(/:(has|not)\([^()]*(\([^()]*(\([^()]*\)[^()]*)*\)[^()]*)*\)/, '');
  }
  return subject.replaceAll('*', '');
}

/** The selectors of a style sheet that contain `:has()` and apply to elements of any name. */
const findBroad = (css: string): string[] =>
  [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)]
    .flatMap(([, selectors = '']) => (selectors.trim().startsWith('@') ? [] : split(selectors, /,/)))
    .filter(
      (selector) =>
        selector.includes(':has(') && !/[\w.#[]|:is\(/.test(subjectOf(selector).replaceAll(/:(?!is\()[\w-]+/g, '')),
    );

it('no selector with :has() applies to elements of any name, for which a browser would restyle the whole page after each change', () => {
  const files = globSync('**/*.css', { cwd: sources });
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((name) => findBroad(readFileSync(join(sources, name), 'utf8')));
  expect(found).toEqual([]);
});

it('finds selectors with :has() that apply to elements of any name', () => {
  expect(findBroad('.a:has(.b) .c {} .a:has(> .b:not(.c)) > :is(h2, p):hover, p:has(.d) {} .e > * {}')).toEqual([]);
  const broad = ['.a:has(.b) > :not(.c)', '.a:has(.b) > *', ':has(> .b)', '.a:has(.b) :first-child'];
  expect(findBroad(`${broad.join(' {} ')} {}`)).toEqual(broad);
});
