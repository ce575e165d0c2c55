/** Runs the tests of each file from its last to its first, so that one that leans on a test above it fails (see CONTRIBUTING.md). */
import { TestRunner, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite } from 'vitest';

export default class ReverseOrder extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) reverse(file);
  }
}

function reverse(task: RunnerTestSuite | RunnerTestCase): void {
  if (task.type !== 'suite') return;
  if (!task.meta.is_story) task.tasks.reverse();
  for (const child of task.tasks) reverse(child);
}
