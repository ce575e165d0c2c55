// npm test: the checks, then the journeys, on embedded parts alone. `--project wide` runs that project and nothing else.
import { runMain, setUp } from './setup.mjs';
import { checkSteps, finish, runSteps, testStep } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const named = process.argv.indexOf('--project');
  if (named > 0) return finish(await runSteps([testStep(process.argv[named + 1])]));
  const checks = await runSteps(checkSteps());
  const journeys = await runSteps([testStep('journey')]);
  return finish({ passed: checks.passed + journeys.passed, failed: checks.failed + journeys.failed });
});
