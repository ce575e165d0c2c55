import { isCode, isTest, type Rule } from '../repository.ts';

function maxLinesOf(path: string): number {
  if (isTest(path)) return 400;
  return /^server\/features\/[^/]+\/[a-z0-9]+-[a-z0-9-]+\.ts$/.test(path) ? 150 : 300;
}

/** Limits of files; the limit of functions is in `.oxlintrc.json`. */
export const sizes: Rule = {
  name: 'sizes',
  reason: 'A file has a maximum length, shorter for an operation and longer for a test.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) => {
      if (!isCode(path)) return [];
      const lines = content.replace(/\n$/, '').split('\n');
      const max_lines = maxLinesOf(path);
      const text = `${lines.length} lines; ${max_lines} at most`;
      return lines.length > max_lines ? [{ path, line: max_lines + 1, text }] : [];
    }),
};
