// npm run check: types, lint, format, tidy, and the unit and in-process tests without the slow ones.
import { runMain, setUp } from './setup.mjs';
import { checkSteps, finish, runSteps } from './steps.mjs';

await runMain(async () => {
  await setUp();
  return finish(await runSteps(checkSteps()));
});
