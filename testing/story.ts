/** Tests that tell one story: each is a step, which begins where the one before it has ended. */
import { beforeEach, type TestOptions } from 'vitest';
import { describeUnlessMissing } from './skip.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Whether the tests of the suite are steps, which no run may put into another order. */
    is_story?: boolean;
  }
}

const in_order: TestOptions & { shuffle: boolean } = { shuffle: false, meta: { is_story: true } };

/**
 * `describeUnlessMissing` for a story: its steps run in order, and those after one that failed are skipped, since they
 * would only fail for the same reason.
 */
export function describeStory(missing: string | undefined, title: string, body: () => void): void {
  describeUnlessMissing(missing, title, in_order, () => {
    beforeEach(({ task, skip }) => {
      const failed = task.suite?.tasks.find((step) => step.result?.state === 'fail');
      if (failed) skip(`"${failed.name}" failed`);
    });
    body();
  });
}
