import { posix } from 'node:path';
import { isCode, type Rule } from '../repository.ts';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const EMPTY_WORDS = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'base', 'manager', 'service', 'misc']);

export const fileNames: Rule = {
  name: 'file-names',
  reason: 'File names are in kebab-case and say what the file contains.',
  check: (repository) =>
    [...repository.keys()].filter(isCode).flatMap((path) => {
      const parts = posix.basename(path).split('.').slice(0, -1);
      const empty = path.split(/[/.]/).find((word) => EMPTY_WORDS.has(word));
      if (empty !== undefined) return [{ path, line: 1, text: `"${empty}" does not say what the file contains` }];
      return parts.every((part) => KEBAB.test(part)) ? [] : [{ path, line: 1, text: 'is not in kebab-case' }];
    }),
};
