/** The input and output of tidy's rules. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every tracked file, by its path from the repository's root. */
export type Repository = ReadonlyMap<string, string>;
/** `line` counts from 1. */
export type Finding = { path: string; line: number; text: string };

/** A house rule: its name, why it exists, and the places that break it. */
export type Rule = { name: string; reason: string; check(repository: Repository): Finding[] };

/** The files that git tracks, and new ones that it does not ignore; undefined where there is no git or no checkout. */
function listWithGit(root: string): string[] | undefined {
  const flags = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  try {
    const output = execFileSync('git', flags, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' });
    return output.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  } catch {
    return undefined;
  }
}

/**
 * The files to check, by the patterns of `.gitignore`, as far as they are used here: a folder `name/`, a path `a/b/` or `*.ext`.
 */
export function listWithoutGit(root: string): string[] {
  const patterns = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const folders = ['.git/', ...patterns.filter((pattern) => pattern.endsWith('/'))];
  const endings = patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1));
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      // In a linked worktree, `.git` is a file.
      if (path === '.git') return [];
      if (!entry.isDirectory()) return endings.some((ending) => path.endsWith(ending)) ? [] : [path];
      const is_ignored = folders.some((one) => `${path}/` === one || `${entry.name}/` === one);
      return is_ignored ? [] : walk(`${path}/`);
    });
  return walk('');
}

/** Reads tracked and new files that git does not ignore; binary files are listed without their content. */
export function readRepository(root: string): Repository {
  return new Map(
    (listWithGit(root) ?? listWithoutGit(root)).map((path) => {
      const bytes = readFileSync(join(root, path));
      return [path, bytes.subarray(0, 8_000).includes(0) ? '' : bytes.toString('utf8')];
    }),
  );
}

/** One finding for each matching line. */
export function findLines(path: string, content: string, pattern: RegExp, text: string): Finding[] {
  return content.split('\n').flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1, text }] : []));
}

/** Whether a file is a test, or is used by tests only. */
export const isTest = (path: string): boolean => path.endsWith('.test.ts') || /^(server|sfu)\/testing\//.test(path);

/** Whether a file is source code that is written by hand. */
export const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/generated/');
