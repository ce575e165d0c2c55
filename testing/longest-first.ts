/** The order of test files: the longest first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files with slow tests; vitest estimates the duration of a file by its size. */
const LONG = [
  'due-kill.journey.test.ts',
  'gallery.page.test.ts',
  'languages.page.test.ts',
  'recording.journey.test.ts',
  'recorded-call.journey.test.ts',
  'mixed-recording.journey.test.ts',
  'real-targets.process.test.ts',
  'start.process.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
