/** Chance for identifiers, drawn for many at once: a trip to the system for each costs more than making the rest of one. */
import { randomFillSync } from 'node:crypto';

const pool_bytes = 8192;

/** Makes a source of random bytes of its own. For identifiers: secrets are drawn one by one and leave no copy behind. */
export function createChance(): (length: number) => Buffer {
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
