// npm test: the checks, then whole processes, pages in a browser and journeys, on embedded parts alone.
// `--project wide` runs that project and nothing else.
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

/** Windows of a browser keep both cores busy with three files at a time; what remains without one waits more. */
const workers_count = existsSync(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium') ? 3 : 4;

await runMain(async () => {
  await setUp();
  const no_skips = process.argv.includes('--no-skips');
  const projects = valueOf('--project')?.split(',');
  const before = valueOf('--after');
  const groups = projects
    ? [[withWorkers(4, testStep(...projects))]]
    : // One after the other: each uses both cores. Timed tests have the machine to themselves.
      [checkSteps({ with_slow: true }), [withWorkers(workers_count, testStep('e2e'))], [testStep('timed')]];
  const sum = { passed: 0, failed: 0 };
  for (const group of groups) {
    const steps = before ? group.flatMap((step) => (step.report ? (stepAfter(step, before) ?? []) : [])) : group;
    const { passed, failed } = await runSteps(steps.map((step) => ({ ...step, no_skips })));
    sum.passed += passed;
    sum.failed += failed;
  }
  return finish(sum);
});
