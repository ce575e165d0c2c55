import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { slow } from '../../testing/slow-tests.ts';

/** Allocates 64 MB of small objects, releases them, and prints the resident memory before and after, in bytes. */
const script = `
  import { releaseStartMemory } from ${JSON.stringify(new URL('./memory.ts', import.meta.url).href)};
  let held = Array.from({ length: 500_000 }, (_, at) => ({ at, text: 'x' + at }));
  const filled_bytes = process.memoryUsage.rss();
  held = undefined;
  releaseStartMemory();
  console.log(JSON.stringify({ filled_bytes, released_bytes: process.memoryUsage.rss(), gc: typeof gc }));`;

describe('releaseStartMemory', () => {
  it('returns unused memory to the system, and does not leave gc exposed', slow, () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const { filled_bytes, released_bytes, gc } = JSON.parse(output);
    expect(filled_bytes - released_bytes).toBeGreaterThan(20_000_000);
    expect(gc).toBe('undefined');
  });
});
