import { posix } from 'node:path';
import { isCode, type Rule } from '../repository.ts';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const EMPTY_WORDS = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'base', 'manager', 'service', 'misc']);

export const fileNames: Rule = {
  name: 'file-names',
  reason: 'A name says what a file holds: kebab-case, and no word that says nothing.',
  check: (repository) =>
    [...repository.keys()].filter(isCode).flatMap((path) => {
      const parts = posix.basename(path).split('.').slice(0, -1);
      const empty = path.split(/[/.]/).find((word) => EMPTY_WORDS.has(word));
      if (empty !== undefined) return [{ path, line: 1, text: `"${empty}" says nothing about what it holds` }];
      return parts.every((part) => KEBAB.test(part)) ? [] : [{ path, line: 1, text: 'is not in kebab-case' }];
    }),
};
