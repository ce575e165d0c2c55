/** Random bytes for identifiers, drawn in bulk: a system call for each costs more than the rest of an identifier. */
import { randomFillSync } from 'node:crypto';

const pool_bytes = 8192;

/** Creates a pool of random bytes. For identifiers only: secrets are drawn one by one and leave no copy in a buffer. */
export function createRandomPool(): (length: number) => Buffer {
  const pool = Buffer.alloc(pool_bytes);
  let used = pool_bytes;
  return (length) => {
    if (used + length > pool_bytes) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
}
