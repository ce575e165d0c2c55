// npm test: the checks, then whole processes, pages in a browser and journeys, on embedded parts alone.
// `--project NAMES` runs only those of unit (with the checks), e2e, timed and wide, which is on real servers, in this order.
// With `--no-skips`, a skipped test is a failure unless it only lacks root.
// With `--after FOLDER`, tests that passed in that checkout of the same commit are not run again.
import { existsSync } from 'node:fs';
import { runMain, setUp } from './setup.mjs';
import { checkSteps, finish, runSteps, stepAfter, testStep, withWorkers } from './steps.mjs';

/** The argument after a flag. */
function valueOf(flag) {
  const place = process.argv.indexOf(flag);
  return place > 0 ? process.argv[place + 1] : undefined;
}

/**
 * Windows of a browser keep both cores busy with two files at a time; with three, each step of a test takes several times as
 * long. What remains without one waits more: for processes to start and to end, and for time limits.
 */
const workers_count = existsSync(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium') ? 2 : 5;

await runMain(async () => {
  await setUp();
  const no_skips = process.argv.includes('--no-skips');
  // One after the other: each uses both cores. Timed tests have the machine to themselves.
  const groups_by_name = {
    unit: () => checkSteps({ with_slow: true }),
    e2e: () => [withWorkers(workers_count, testStep('e2e'))],
    timed: () => [testStep('timed')],
    wide: () => [withWorkers(3, testStep('wide'))],
  };
  const names = valueOf('--project')?.split(',') ?? ['unit', 'e2e', 'timed'];
  const before = valueOf('--after');
  const sum = { passed: 0, failed: 0 };
  for (const name of names) {
    const group = groups_by_name[name]?.();
    if (!group) throw new Error(`The projects are ${Object.keys(groups_by_name).join(', ')}; there is no ${name}.`);
    const steps = before ? group.flatMap((step) => (step.report ? (stepAfter(step, before) ?? []) : [])) : group;
    const { passed, failed } = await runSteps(steps.map((step) => ({ ...step, no_skips })));
    sum.passed += passed;
    sum.failed += failed;
  }
  return finish(sum);
});
