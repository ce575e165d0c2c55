import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testMixdown } from '../testing/mixdown.contract.ts';
import { amplitudeAt, decodeSound, encodeTrack } from '../testing/tone-tracks.ts';
import { createMixdown } from './mixdown.ts';

describe('tracks mixed by Node alone', () => {
  testMixdown(createMixdown());
});

describe('the bounds of a mixdown', () => {
  let folder = '';
  let long = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-mixdown-bounds-'));
    long = join(folder, 'long.ogg');
    writeFileSync(long, await encodeTrack([{ ms: 3_000, hertz: 440 }, { ms: 300_000 }, { ms: 3_000, hertz: 440 }]));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const length_ms = 306_000;
  const into = () => join(folder, 'mixed.ogg');
  const mixtureOf = (path: string, duration_ms = length_ms) => ({
    tracks: [{ path, starts_ms: 0 }],
    chapters: [],
    duration_ms,
    into: into(),
  });
  const isRunning = (pid: number | undefined) => existsSync(`/proc/${pid}/exe`);

  it.each([
    ['time', { timeout_ms: 150 }, /takes longer than 150 ms/],
    ['memory', { memory_bytes: 2 ** 20 }, /memory: \d+ octets are more than 1048576/],
  ])('ends what takes too much %s, without a trace', async (_what, options, reason) => {
    const said: string[] = [];
    const pids: (number | undefined)[] = [];
    const mix = createMixdown({
      ...options,
      log: (message) => void said.push(message),
      onStart: (pid) => void pids.push(pid),
    });
    expect(await mix(mixtureOf(long))).toBeUndefined();
    expect(said.join()).toMatch(reason);
    expect([pids.length, pids.some(isRunning)]).toEqual([1, false]);
    expect([existsSync(into()), existsSync(`${into()}.new`)]).toEqual([false, false]);
  });

  it('holds no more memory for minutes of sound than a start takes', async () => {
    expect(await createMixdown({ memory_bytes: 200 * 2 ** 20 })(mixtureOf(long))).toBeDefined();
    const [sound = new Float32Array(0)] = await decodeSound(readFileSync(into()));
    expect(Math.abs(sound.length / 48 - length_ms)).toBeLessThanOrEqual(20);
    expect([1_000, 150_000, 304_000].map((at_ms) => Math.round(10 * amplitudeAt(sound, at_ms, 440)))).toEqual([
      3, 0, 3,
    ]);
  });

  it('hears no more of a track than the recording is long', async () => {
    expect(await createMixdown()(mixtureOf(long, 4_000))).toBeDefined();
    const [sound] = await decodeSound(readFileSync(into()));
    expect((sound?.length ?? 0) / 48_000).toBeLessThan(9.1);
  });

  it('leaves out a second that was damaged, and plays on in time', async () => {
    const bytes = await encodeTrack([
      { ms: 3_000, hertz: 440 },
      { ms: 3_000, hertz: 880 },
    ]);
    const pages = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index);
    // The first two pages are headers; each of the others is a second.
    bytes.fill(0xff, (pages[3] ?? 0) + 400, (pages[3] ?? 0) + 900);
    writeFileSync(join(folder, 'damaged.ogg'), bytes);
    expect(await createMixdown()(mixtureOf(join(folder, 'damaged.ogg'), 6_000))).toBeDefined();
    const [sound = new Float32Array(0)] = await decodeSound(readFileSync(into()));
    const heard = [0, 1, 2, 3, 4, 5].map((second) =>
      [440, 880].map((hertz) => Math.round(10 * amplitudeAt(sound, second * 1000 + 250, hertz))),
    );
    expect(heard).toEqual([
      [3, 0],
      [0, 0],
      [3, 0],
      [0, 3],
      [0, 3],
      [0, 3],
    ]);
  });

  it('makes one at a time, in their order', async () => {
    const running: number[] = [];
    const pids: (number | undefined)[] = [];
    const mix = createMixdown({
      onStart(pid) {
        pids.push(pid);
        running.push(pids.filter(isRunning).length);
      },
    });
    const short = join(folder, 'short.ogg');
    writeFileSync(short, await encodeTrack([{ ms: 1_000, hertz: 440 }]));
    const made = await Promise.all(
      ['absent.ogg', 'short.ogg', 'short.ogg'].map((name) => mix(mixtureOf(join(folder, name), 1_000))),
    );
    expect(made.map((one) => one !== undefined)).toEqual([false, true, true]);
    expect(running).toEqual([1, 1, 1]);
  });
});
