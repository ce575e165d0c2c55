import { isCode, type Finding, type Repository, type Rule } from '../../repository.ts';

const FILE = /^(?:[\w@.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|sql|css|md)$/;
/** Names in camelCase and snake_case; other words between backticks may be commands, values or headers. */
const IDENTIFIER = /^[a-z]+(?:[a-z0-9]*[A-Z]\w*|(?:_[a-z0-9]+)+)$/;
/** Names of files that are yet to be created, or that the service creates. */
const PLACEHOLDER = /NAME|NNNN|verb-noun|DATA_DIR/;

/** A line of a comment. */
const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)/;

/** Decisions and the changelog also name what no longer exists. */
const isCurrent = (path: string): boolean =>
  path.endsWith('.md') && path !== 'CHANGELOG.md' && !/^docs\/(?:decisions|generated)\//.test(path);

function wordsOf(repository: Repository): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [path, content] of repository) {
    if (!path.endsWith('.md')) for (const word of content.match(/\w+/g) ?? []) words.add(word);
  }
  return words;
}

export const documents: Rule = {
  name: 'documents',
  reason: 'The files and identifiers that documents name exist, and the files that comments name.',
  check: (repository) => {
    const words = wordsOf(repository);
    const paths = [...repository.keys()];
    const isFile = (name: string): boolean => paths.some((path) => path === name || path.endsWith(`/${name}`));
    const explain = (name: string): string | undefined => {
      if (PLACEHOLDER.test(name)) return undefined;
      if (FILE.test(name)) return isFile(name) ? undefined : `there is no file ${name}`;
      return IDENTIFIER.test(name) && !words.has(name) ? `no file of the code contains ${name}` : undefined;
    };
    return paths
      .filter((path) => isCurrent(path) || isCode(path))
      .flatMap((path): Finding[] =>
        repository
          .get(path)!
          .split('\n')
          .flatMap((line, index) => {
            if (isCode(path) && !COMMENT.test(line)) return [];
            return [...line.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = '']) => {
              const text = isCode(path) && !FILE.test(name) ? undefined : explain(name);
              return text === undefined ? [] : [{ path, line: index + 1, text }];
            });
          }),
      );
  },
};
