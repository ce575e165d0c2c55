// npm test: the checks, then whole processes, then pages in a browser, then the journeys, on embedded parts alone.
// `--project wide` runs that project and nothing else.
// With `--no-skips`, a skipped test is a failure unless all that it lacks is root.
import { runMain, setUp } from './setup.mjs';
import { checkSteps, finish, runSteps, testStep } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const no_skips = process.argv.includes('--no-skips');
  const named = process.argv.indexOf('--project');
  if (named > 0) {
    return finish(await runSteps([{ ...testStep(process.argv[named + 1]), no_skips }]));
  }
  const sums = [await runSteps(checkSteps().map((step) => ({ ...step, no_skips })))];
  // One after the other: each keeps both cores at work.
  for (const project of ['process', 'page', 'journey']) sums.push(await runSteps([{ ...testStep(project), no_skips }]));
  return finish({
    passed: sums.reduce((sum, { passed }) => sum + passed, 0),
    failed: sums.reduce((sum, { failed }) => sum + failed, 0),
  });
});
