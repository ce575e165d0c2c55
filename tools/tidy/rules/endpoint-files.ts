import type { Rule } from '../repository.ts';

const BESIDE = new Set(['index.ts', 'schemas.ts', 'queries.ts', 'events.ts', 'jobs.ts', 'lifecycle.ts', 'README.md']);
/** What only one area uses is in a folder of its own, where files and folders are named by their subject. */
const RULES = /^rules\/([a-z0-9-]+\/)?[^/]+$/;
/** Verb and noun, or a verb that needs no noun. */
const ENDPOINT = /^([a-z0-9]+(-[a-z0-9]+)+|login|logout|register)\.ts$/;

export const endpointFiles: Rule = {
  name: 'endpoint-files',
  reason: 'One operation is one file, verb-noun.ts, with its test beside it; what only the area needs is in rules/.',
  check: (repository) =>
    [...repository.keys()].flatMap((path) => {
      const [, area, file] = /^server\/features\/([^/]+)\/(.+)$/.exec(path) ?? [];
      if (area === undefined || file === undefined || BESIDE.has(file)) return [];
      const finding = (text: string) => [{ path, line: 1, text }];
      if (file.endsWith('.test.ts')) {
        const tested = path.replace(/(\.(journey|page|process|wide))?\.test\.ts$/, '.ts');
        return repository.has(tested) ? [] : finding(`tests ${tested}, which does not exist`);
      }
      if (RULES.test(file)) return [];
      if (!ENDPOINT.test(file)) return finding('is neither verb-noun.ts nor a file that every area may have');
      return repository.has(path.replace(/\.ts$/, '.test.ts')) ? [] : finding('has no test beside it');
    }),
};
