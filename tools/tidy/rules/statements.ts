import { isCode, isTest, type Rule } from '../repository.ts';

/** Operations, and what stands beside them in the folder of an area. */
const BESIDE = /^server\/features\/[^/]+\/[^/]+\.ts$/;
const HOLDERS = /\/(?:queries|lifecycle)\.ts$/;

export const statements: Rule = {
  name: 'statements',
  reason: 'The SQL of an area is in its queries.ts, its lifecycle.ts and its rules/, not in its operations.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      BESIDE.test(path) && isCode(path) && !isTest(path) && !HOLDERS.test(path)
        ? [...content.matchAll(/\bsql`/g)].map(({ index }) => ({
            path,
            line: content.slice(0, index).split('\n').length,
            text: 'contains SQL',
          }))
        : [],
    ),
};
