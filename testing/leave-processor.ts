/**
 * Lets the tests on real servers leave the processor to the one that measures pauses of media, which the others would
 * cause: a worker of any other file, and what it starts, gets a 28th of the time of each of its processes (nice(1)), which
 * wait most of the time.
 */
import { setPriority } from 'node:os';
import { beforeAll } from 'vitest';

const MEASURES_PAUSES = 'sfu/impaired.wide.test.ts';
const NICENESS = 15;

// oxlint-disable-next-line eslint/no-empty-pattern -- vitest requires a pattern
beforeAll(({}, { file }) => {
  // The first file of its worker: a worker that has lowered its priority cannot raise it again.
  if (!file.filepath.endsWith(MEASURES_PAUSES)) setPriority(NICENESS);
});
