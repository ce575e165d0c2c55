import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const globalSetup = ['server/testing/global-setup.ts'];
const setupFiles = ['tools/random-tests.ts'];
/** Tests of the media server that need real clients, and therefore run one after the other. */
const media_journeys = ['sfu/signal/join.test.ts', 'sfu/browser.test.ts'];
const journeys = ['**/*.journey.test.ts', ...media_journeys];
const processes = ['**/*.process.test.ts'];
const outside = ['**/node_modules/**', 'web/**', 'data/**', '.cache/**'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'sfu/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...outside, ...journeys, ...processes, '**/*.wide.test.ts'],
          pool: 'threads',
          isolate: false,
          // What of the web client is tested here takes the SDK by its name, which is built for those who install it alone.
          alias: { '@asterism/sdk': join(import.meta.dirname, 'sdk', 'index.ts') },
          // A test takes milliseconds; on a machine that others use too it may take long, which is no failure.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          globalSetup,
          setupFiles,
        },
      },
      {
        // Whole services and databases, but no media and nothing that is timed: two files at once do not disturb each other.
        test: {
          name: 'process',
          include: processes,
          exclude: outside,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          globalSetup,
          setupFiles,
        },
      },
      {
        test: {
          name: 'journey',
          include: journeys,
          exclude: outside,
          isolate: false,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          globalSetup,
          setupFiles,
        },
      },
      {
        test: {
          name: 'wide',
          include: ['**/*.wide.test.ts'],
          exclude: outside,
          isolate: false,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          setupFiles,
        },
      },
    ],
  },
});
