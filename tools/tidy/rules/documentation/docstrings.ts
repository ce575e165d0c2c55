import type { Finding, Rule } from '../../repository.ts';

/** A function that other files may call. */
const EXPORTED = /^export (?:async )?function\*? (\w+)|^export const (\w+) = (?:async )?(?:\([^)]*\)|<)[^=]*=>/;
const DOCSTRING_END = /\*\/$/;
const PARTS = /^(?:server|sfu|sdk)\//;

export const docstrings: Rule = {
  name: 'docstrings',
  reason: 'An exported function says what it means.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) => {
      if (!PARTS.test(path) || !path.endsWith('.ts') || path.endsWith('.test.ts')) return [];
      const lines = content.split('\n');
      return lines.flatMap((line, index): Finding[] => {
        const name = EXPORTED.exec(line)?.slice(1).find(Boolean);
        if (name === undefined || DOCSTRING_END.test((lines[index - 1] ?? '').trimEnd())) return [];
        return [{ path, line: index + 1, text: `${name} has no docstring` }];
      });
    }),
};
