import { defineConfig } from 'vitest/config';
import { seedOf, usual_seed } from './testing/seed.ts';
import { LongestFirst } from './testing/longest-first.ts';

const temporary = 'testing/temporary-folder.ts';
const globalSetup = [temporary, 'server/testing/world/global-setup.ts'];
const setupFiles = ['testing/plain-stacks.ts', 'testing/random-tests.ts'];
const journeys = ['**/*.journey.test.ts', 'sfu/signal/join.test.ts', 'sfu/browser.test.ts'];
/** Journeys that measure durations or require time limits, and therefore run one file at a time. */
const timed = [
  'server/testing/journeys/*/{data-flood,home,overload,rings,slow-clients,timing}.journey.test.ts',
  'server/testing/journeys/messages/reading/long-chat.page.test.ts',
];
/** Whole services and databases, pages in a browser, and journeys of several people, with calls. */
const end_to_end = ['**/*.process.test.ts', '**/*.page.test.ts', ...journeys];
/** `ORDER=reversed` runs the tests of a file from the last to the first, in every project. */
const order = process.env['ORDER'] === 'reversed' ? { runner: 'testing/reverse-order.ts' } : {};
/**
 * The options of every project that runs whole services. Their time limits end what hangs and say nothing about speed, so
 * they leave room for a machine a third as fast, and tests have none of their own; a page waits 30 s, as Playwright does.
 */
const services = {
  ...order,
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--conditions=asterism-source'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles,
};
const outside = ['**/node_modules/**', 'web/dist/**', 'data/**', '.cache/**'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    tags: [{ name: 'slow', description: 'Takes more than a fifth of a second; not part of npm run check.' }],
    // The order of `--sequence.shuffle.tests`: the seed is printed by the run, and `SEED` sets it.
    sequence: { seed: seedOf(usual_seed).seed, sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...order,
          name: 'unit',
          include: [
            'server/**/*.test.ts',
            'sdk/**/*.test.ts',
            'sfu/**/*.test.ts',
            'testing/**/*.test.ts',
            'tools/**/*.test.ts',
            'web/src/**/*.test.ts',
          ],
          exclude: [...outside, ...end_to_end, '**/*.wide.test.ts'],
          pool: 'threads',
          isolate: false,
          // Node runs the files without transforming them, as it runs the service.
          experimental: { viteModuleRunner: false },
          // Tested files of the web client import the SDK by its package name, which would resolve to its build.
          execArgv: ['--conditions=asterism-source'],
          // A test takes milliseconds, but may take long on a busy machine, which must not count as a failure.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
          globalSetup,
          setupFiles,
        },
      },
      {
        // Several files at a time, in any worker: a worker that changes its project begins anew, with another browser.
        test: { ...services, name: 'e2e', include: end_to_end, exclude: [...outside, ...timed], globalSetup },
      },
      {
        test: { ...services, name: 'timed', include: timed, exclude: outside, globalSetup, fileParallelism: false },
      },
      {
        // The same on real servers, which the environment names.
        test: {
          ...services,
          name: 'wide',
          include: ['**/*.wide.test.ts'],
          exclude: outside,
          globalSetup: [temporary],
          setupFiles: [...setupFiles, 'testing/leave-processor.ts'],
        },
      },
    ],
  },
});
