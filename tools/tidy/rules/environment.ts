import { findLines, isCode, isTest, type Rule } from '../repository.ts';

const ALLOWED = /^(server\/app\/config\/config\.ts|sfu\/main\.ts|tools\/.*|testing\/.*|.*\.config\.ts)$/;

export const environment: Rule = {
  name: 'environment',
  reason:
    'The environment is read in server/app/config/config.ts alone, which refuses unknown values and prints the table of them.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      !isCode(path) || isTest(path) || ALLOWED.test(path)
        ? []
        : findLines(path, content, /\bprocess\.env\b/, 'reads the environment'),
    ),
};
