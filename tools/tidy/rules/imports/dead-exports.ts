import { isCode, type Finding, type Repository, type Rule } from '../../repository.ts';

const EXPORT = /^export (?:abstract )?(?:const|let|function\*?|async function\*?|class|enum) ([A-Za-z_$][\w$]*)/;

/** The files in which a word occurs; finding two of them is enough. */
function findWords(repository: Repository): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const [path, content] of repository) {
    if (!isCode(path)) continue;
    for (const word of new Set(content.match(/[A-Za-z_$][\w$]*/g))) {
      const paths = words.get(word);
      if (paths === undefined) words.set(word, new Set([path]));
      else if (paths.size < 2) paths.add(path);
    }
  }
  return words;
}

/** Types are exempt: those of a function's parameters are part of what it exports. */
export const deadExports: Rule = {
  name: 'dead-exports',
  reason: 'Unused export.',
  check: (repository) => {
    const words = findWords(repository);
    return [...repository].flatMap(([path, content]): Finding[] =>
      !isCode(path) || path.endsWith('.test.ts')
        ? []
        : content.split('\n').flatMap((line, index) => {
            const name = EXPORT.exec(line)?.[1];
            if (name === undefined || words.get(name)?.size !== 1) return [];
            return [{ path, line: index + 1, text: `no other file names ${name}` }];
          }),
    );
  },
};
