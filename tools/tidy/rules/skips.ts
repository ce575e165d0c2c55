import { findLines, type Rule } from '../repository.ts';

const OWNER = 'testing/skip.ts';
/** Contains bad examples of every rule. */
const EXAMPLES = 'tools/tidy/tidy.test.ts';

export const skips: Rule = {
  name: 'skips',
  reason: 'A skipped test gives its reason in the one form that tools/steps.mjs reads: use testing/skip.ts.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      !path.endsWith('.ts') || path === OWNER || path === EXAMPLES
        ? []
        : findLines(path, content, /\.(?:skipIf|runIf)\(/, 'skips a test without testing/skip.ts'),
    ),
};
