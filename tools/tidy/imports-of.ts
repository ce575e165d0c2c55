import { posix } from 'node:path';
import { isCode, type Repository } from './repository.ts';

const SPECIFIER = /\bfrom '(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|^import '(\.[^']+)'/gm;

/** The files of the repository that a file imports, including types and dynamic imports, each with its line. */
export function importsOf(repository: Repository, path: string): { to: string; line: number }[] {
  const content = repository.get(path) ?? '';
  return [...content.matchAll(SPECIFIER)].flatMap((match) => {
    const to = posix.join(posix.dirname(path), match[1] ?? match[2] ?? match[3] ?? '');
    const line = content.slice(0, match.index).split('\n').length;
    return repository.has(to) && isCode(to) ? [{ to, line }] : [];
  });
}
