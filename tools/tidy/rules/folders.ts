import { posix } from 'node:path';
import { isCode, type Finding, type Rule } from '../repository.ts';

const MAX_FILES = 20;

export const folders: Rule = {
  name: 'folders',
  reason: `A folder has at most ${MAX_FILES} files.`,
  check: (repository) => {
    const count = new Map<string, number>();
    for (const path of repository.keys()) {
      if (!isCode(path) || path.endsWith('.test.ts')) continue;
      const folder = posix.dirname(path);
      count.set(folder, (count.get(folder) ?? 0) + 1);
    }
    return [...count].flatMap(([folder, files]): Finding[] =>
      files > MAX_FILES ? [{ path: folder, line: 1, text: `${files} source files; at most ${MAX_FILES}` }] : [],
    );
  },
};
