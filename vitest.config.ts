import { defineConfig } from 'vitest/config';
import { seedOf, usual_seed } from './testing/seed.ts';
import { LongestFirst } from './testing/longest-first.ts';

const temporary = 'testing/temporary-folder.ts';
const globalSetup = [temporary, 'server/testing/world/global-setup.ts'];
const setupFiles = ['testing/random-tests.ts'];
const journeys = ['**/*.journey.test.ts', 'sfu/signal/join.test.ts', 'sfu/browser.test.ts'];
/** Journeys that measure durations or require time limits, and therefore run one file at a time. */
const timed = [
  'server/testing/journeys/*/{data-flood,home,overload,rings,slow-clients,timing}.journey.test.ts',
  'server/testing/journeys/messages/long-chat.page.test.ts',
];
const processes = ['**/*.process.test.ts'];
const pages = ['**/*.page.test.ts'];
/** Tests on real servers with media. They mostly wait for audio, so that several files can run at a time. */
const media_wide = [
  'sfu/**/*.wide.test.ts',
  'server/app/media/*.wide.test.ts',
  'server/engines/{media,telephony}/*.wide.test.ts',
  'server/testing/journeys/*/{api-call,barred-listeners,video-recording,firefox,livekit-nodes,mixed-recording,phone-call,two-nodes}.wide.test.ts',
];
/** The options of every project that runs whole services. */
const services = {
  isolate: false,
  experimental: { viteModuleRunner: false },
  execArgv: ['--conditions=asterism-source'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
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
          name: 'unit',
          include: [
            'server/**/*.test.ts',
            'sdk/**/*.test.ts',
            'sfu/**/*.test.ts',
            'testing/**/*.test.ts',
            'tools/**/*.test.ts',
            'web/src/**/*.test.ts',
          ],
          exclude: [...outside, ...journeys, ...pages, ...processes, '**/*.wide.test.ts'],
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
        // Whole services and databases, but no media and no time limits: several files can run at a time.
        test: { ...services, name: 'process', include: processes, exclude: outside, globalSetup },
      },
      {
        // Pages in a browser, several files at a time for the same reason.
        test: { ...services, name: 'page', include: pages, exclude: [...outside, ...timed], globalSetup },
      },
      {
        // Calls, with media or in a browser, several files at a time.
        test: { ...services, name: 'journey', include: journeys, exclude: [...outside, ...timed], globalSetup },
      },
      {
        test: { ...services, name: 'timed', include: timed, exclude: outside, globalSetup, fileParallelism: false },
      },
      {
        test: {
          ...services,
          name: 'wide',
          include: ['**/*.wide.test.ts'],
          exclude: [...outside, ...media_wide],
          globalSetup: [temporary],
        },
      },
      {
        test: { ...services, name: 'wide-media', include: media_wide, exclude: outside, globalSetup: [temporary] },
      },
    ],
  },
});
