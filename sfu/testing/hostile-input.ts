/** Hostile input in tests: valid input that is changed at random, reproducible by its seed. */
import { randomFrom, seedOf, usual_seed } from '../../testing/seed.ts';

const { seed, label } = seedOf(usual_seed);

/** A random whole number below `end`, or one in [0, 1). */
export type Random = (end?: number) => number;

/** Creates the random numbers of this run. */
function createRandom(): Random {
  const random = randomFrom(seed);
  return (end) => (end === undefined ? random() : Math.floor(random() * end));
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff];

/** Changes bytes: replaces single ones and ranges, and removes, repeats or truncates parts. */
export function garble(bytes: Uint8Array, random: Random): Buffer {
  let result = Buffer.from(bytes);
  for (let changes = 1 + random(6); changes > 0 && result.length > 0; changes--) {
    const at = random(result.length);
    const to = Math.min(result.length, at + 1 + random(16));
    switch (random(6)) {
      case 0:
        result[at] = random(256);
        break;
      case 1:
        result[at] = EXTREMES[random(EXTREMES.length)] ?? 0;
        break;
      case 2:
        result.fill(random(2) * 0xff, at, to);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, at), result.subarray(to)]);
        break;
      case 4:
        result = Buffer.concat([
          result.subarray(0, to),
          ...Array.from({ length: 1 + random(8) }, () => result.subarray(at, to)),
          result.subarray(to),
        ]);
        break;
      default:
        result = result.subarray(0, Math.max(1, at));
    }
  }
  return result;
}

/** Changes text at random, by lines. */
export function garbleLines(text: string, random: Random): string {
  const lines = text.split('\r\n');
  for (let changes = 1 + random(8); changes > 0; changes--) {
    const at = random(lines.length);
    const line = lines[at] ?? '';
    switch (random(5)) {
      case 0:
        lines.splice(at, 1);
        break;
      case 1:
        lines[at] = line.slice(0, random(line.length + 1));
        break;
      case 2:
        lines.splice(at, 0, ...Array.from({ length: 1 + random(200) }, () => line));
        break;
      case 3:
        lines[at] = garble(Buffer.from(line), random).toString('latin1');
        break;
      default:
        lines[at] = line + line.slice(random(line.length + 1)).repeat(1 + random(50));
    }
  }
  return lines.join('\r\n');
}

/** The maximum cost of one input, in CPU time of the thread. */
const COST_MS = 20;

/**
 * Passes inputs to a reader one after the other.
 * @param may_throw whether the caller of the reader catches its errors
 * @throws Error with the seed and the input, when an input is read too slowly or makes the reader throw
 */
export async function readHostile<Input>(
  count: number,
  make: (random: Random) => Input,
  read: (input: Input) => unknown,
  may_throw = false,
): Promise<void> {
  const random = createRandom();
  for (let index = 0; index < count; index++) {
    const input = make(random);
    const failureOf = (what: string, cause?: unknown) => {
      const shown = Buffer.isBuffer(input) ? input.toString('hex') : JSON.stringify(input);
      return new Error(`${label}, input ${index}: ${what}: ${shown.slice(0, 4_000)}`, { cause });
    };
    let cost_ms = Infinity;
    // Because of compilation and garbage collection, an input counts as slow when it is slow three times.
    for (let tries = 0; tries < 3 && cost_ms > COST_MS; tries++) {
      const before = process.threadCpuUsage();
      try {
        await read(input);
      } catch (error) {
        if (!may_throw) throw failureOf(String(error), error);
      }
      const { user, system } = process.threadCpuUsage(before);
      cost_ms = (user + system) / 1000;
    }
    if (cost_ms > COST_MS) throw failureOf(`took ${Math.round(cost_ms)} ms`);
  }
}
