/** What tidy's rules look at, and what they answer. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every tracked file, by its path from the repository's root. */
export type Repository = ReadonlyMap<string, string>;
/** `line` counts from 1. */
export type Finding = { path: string; line: number; text: string };
export type Rule = { name: string; reason: string; check(repository: Repository): Finding[] };

/** Reads tracked and new files, not what git ignores; files that are not text stand without their bytes. */
export function readRepository(root: string): Repository {
  const flags = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const paths = execFileSync('git', flags, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  const present = paths.filter((path) => path !== '' && existsSync(join(root, path)));
  return new Map(
    present.map((path) => {
      const bytes = readFileSync(join(root, path));
      return [path, bytes.subarray(0, 8_000).includes(0) ? '' : bytes.toString('utf8')];
    }),
  );
}

/** One finding for each line that matches. */
export function findLines(path: string, content: string, pattern: RegExp, text: string): Finding[] {
  return content.split('\n').flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1, text }] : []));
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || /^(server|sfu)\/testing\//.test(path);
export const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/generated/');
