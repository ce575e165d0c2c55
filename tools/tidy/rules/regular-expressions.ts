import { analyse } from 'scslre';
import { parseSync } from 'vite';
import { isCode, isTest, type Finding, type Rule } from '../repository.ts';

/** Code that runs on input of others. */
const CHECKED = /^(?:server|sfu|sdk)\//;
/** Files without a possible literal are not parsed. */
const MAYBE_LITERAL = /[(=,:?|&[!{;\s]\/[^/*\s]/;

type Literal = { pattern: string; flags: string; start: number };

/** The literals of a syntax tree (ESTree: a `Literal` with `regex`). */
function findLiterals(node: unknown, found: Literal[] = []): Literal[] {
  if (Array.isArray(node)) for (const one of node) findLiterals(one, found);
  else if (typeof node === 'object' && node !== null) {
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start: number };
    if (regex) found.push({ ...regex, start });
    else for (const value of Object.values(node)) if (typeof value === 'object') findLiterals(value, found);
  }
  return found;
}

/** Whether the time of a search can grow faster than the text, by backtracking or by starting again at each place. */
export function isSuperLinear(pattern: string, flags: string): boolean {
  return analyse(new RegExp(pattern, flags)).reports.length > 0;
}

export const regularExpressions: Rule = {
  name: 'regular-expressions',
  reason: 'The time of a regular expression grows linearly with the text: a long one must not block the process.',
  check: (repository) =>
    [...repository].flatMap(([path, content]): Finding[] => {
      if (!CHECKED.test(path) || !isCode(path) || isTest(path) || !MAYBE_LITERAL.test(content)) return [];
      return findLiterals(parseSync(path, content).program)
        .filter(({ pattern, flags }) => isSuperLinear(pattern, flags))
        .map(({ pattern, flags, start }) => ({
          path,
          line: content.slice(0, start).split('\n').length,
          text: `/${pattern}/${flags} can take quadratic time`,
        }));
    }),
};
