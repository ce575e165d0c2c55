import { defineConfig } from 'vitest/config';
import { seedOf, usual_seed } from './tools/seed.ts';
import { LongestFirst } from './tools/vitest/longest-first.ts';

const globalSetup = ['server/testing/global-setup.ts'];
const setupFiles = ['tools/vitest/random-tests.ts'];
const journeys = ['**/*.journey.test.ts', 'sfu/signal/join.test.ts', 'sfu/browser.test.ts'];
/** Journeys that measure times, or what arrives within one, and therefore run one after the other. */
const timed = [
  'sfu/{browser.test,killed-client.journey.test,network.journey.test}.ts',
  'sfu/rooms/room-workers.journey.test.ts',
  'server/testing/journeys/{barred-listeners,data-flood,home,overload,rings,slow-clients,timing}.journey.test.ts',
  'server/testing/journeys/long-chat.page.test.ts',
];
const processes = ['**/*.process.test.ts'];
const pages = ['**/*.page.test.ts'];
/** Tests on real servers with media. They wait for sound more than they work, so that two files at once do not disturb each other. */
const media_wide = [
  'sfu/**/*.wide.test.ts',
  'server/app/media/*.wide.test.ts',
  'server/engines/{media,telephony}/*.wide.test.ts',
  'server/testing/journeys/{api-call,barred-listeners,video-recording,firefox,livekit-nodes,mixed-recording,phone-call,two-nodes}.wide.test.ts',
];
/** What every project of whole services has. */
const services = {
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles,
};
const outside = ['**/node_modules/**', 'web/**', 'data/**', '.cache/**'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    // The order of `--sequence.shuffle.tests`: the seed is printed by the run, and `SEED` sets it.
    sequence: { seed: seedOf(usual_seed).seed, sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'sfu/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...outside, ...journeys, ...pages, ...processes, '**/*.wide.test.ts'],
          pool: 'threads',
          isolate: false,
          // Node runs the files as they are, as it runs the service.
          experimental: { viteModuleRunner: false },
          // What of the web client is tested here takes the SDK by its name, which is built for those who install it alone.
          execArgv: ['--conditions=asterism-source'],
          // A test takes milliseconds; on a machine that others use too it may take long, which is no failure.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          globalSetup,
          setupFiles,
        },
      },
      {
        // Whole services and databases, but no media and nothing that is timed: two files at once do not disturb each other.
        test: { ...services, name: 'process', include: processes, exclude: outside, globalSetup },
      },
      {
        // Pages in a browser, two files at once for the same reason.
        test: { ...services, name: 'page', include: pages, exclude: [...outside, ...timed], globalSetup },
      },
      {
        // Calls, with media or in a browser, two files at once.
        test: { ...services, name: 'journey', include: journeys, exclude: [...outside, ...timed], globalSetup },
      },
      {
        test: { ...services, name: 'timed', include: timed, exclude: outside, globalSetup, fileParallelism: false },
      },
      {
        test: { ...services, name: 'wide', include: ['**/*.wide.test.ts'], exclude: [...outside, ...media_wide] },
      },
      {
        test: { ...services, name: 'wide-media', include: media_wide, exclude: outside },
      },
    ],
  },
});
