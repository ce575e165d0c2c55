import { isCode, isTest, type Finding, type Rule } from '../repository.ts';

const FUNCTION = /^(export )?(default )?(async )?function\b|^(export )?const \w+ = (async )?(<.*>)?\(.*=> \{$/;
const LONGEST_FUNCTION = 70;

function longestFor(path: string): number {
  if (isTest(path)) return 400;
  return /^server\/features\/[^/]+\/[a-z0-9]+-[a-z0-9-]+\.ts$/.test(path) ? 150 : 300;
}

/** Functions at the top level end at the first line that closes a brace in the first column: the formatter sees to that. */
function findLongFunctions(path: string, lines: string[]): Finding[] {
  return lines.flatMap((line, index) => {
    if (!FUNCTION.test(line)) return [];
    const size = lines.slice(index).findIndex((later) => later.startsWith('}')) + 1;
    const text = `a function of ${size} lines; ${LONGEST_FUNCTION} at the most`;
    return size > LONGEST_FUNCTION ? [{ path, line: index + 1, text }] : [];
  });
}

export const sizes: Rule = {
  name: 'sizes',
  reason: 'What fits a screen or two is read; what does not is skimmed.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) => {
      if (!isCode(path)) return [];
      const lines = content.replace(/\n$/, '').split('\n');
      const longest = longestFor(path);
      const text = `${lines.length} lines; ${longest} at the most`;
      const file = lines.length > longest ? [{ path, line: longest + 1, text }] : [];
      return isTest(path) ? file : [...file, ...findLongFunctions(path, lines)];
    }),
};
