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

/** The subject of a selector, its last compound, without `:has(…)`, `:not(…)` and `*`. */
function subjectOf(selector: string): string {
  let subject = split(selector, /[\s>+~]/).at(-1) ?? '';
  for (let before = ''; before !== subject;) {
    before = subject;
    subject = subject.replace(/:(has|not)\([^()]*(\([^()]*(\([^()]*\)[^()]*)*\)[^()]*)*\)/, '');
  }
  return subject.replaceAll('*', '');
}

/** The selectors of a style sheet that contain `:has()` and whose subject is universal (Selectors 4): it names no type, class or id. */
const findUniversal = (css: string): string[] =>
  [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)]
    .flatMap(([, selectors = '']) => (selectors.trim().startsWith('@') ? [] : split(selectors, /,/)))
    .filter(
      (selector) =>
        selector.includes(':has(') && !/[\w.#[]|:is\(/.test(subjectOf(selector).replaceAll(/:(?!is\()[\w-]+/g, '')),
    );

it('no selector with :has() has a universal subject, for which a browser restyles the whole page after each change', () => {
  const files = globSync('**/*.css', { cwd: sources });
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((name) => findUniversal(readFileSync(join(sources, name), 'utf8')));
  expect(found).toEqual([]);
});

it('finds selectors with :has() whose subject is universal', () => {
  expect(findUniversal('.a:has(.b) .c {} .a:has(> .b:not(.c)) > :is(h2, p):hover, p:has(.d) {} .e > * {}')).toEqual([]);
  const universal = ['.a:has(.b) > :not(.c)', '.a:has(.b) > *', ':has(> .b)', '.a:has(.b) :first-child'];
  expect(findUniversal(`${universal.join(' {} ')} {}`)).toEqual(universal);
});
