// npm run check: types, lint, format, tidy, unit and in-process tests.
import { runMain, setUp } from './setup.mjs';
import { checkSteps, finish, runSteps } from './steps.mjs';

await runMain(async () => {
  await setUp();
  return finish(await runSteps(checkSteps()));
});
