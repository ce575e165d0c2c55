import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OggOpusWriter } from '../opus/ogg.ts';
import { samplesOf } from '../opus/opus-packets.ts';
import { testMixdown } from '../testing/contracts/mixdown.contract.ts';
import { amplitudeAt, decodeSound, encodeTrack, peakOf } from '../testing/tone-tracks.ts';
import { createMixdown } from './mixdown.ts';

describe('createMixdown', () => {
  testMixdown(createMixdown());
});

describe('the limits of a mixdown', () => {
  let folder = '';
  let long = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-mixdown-bounds-'));
    long = join(folder, 'long.ogg');
    writeFileSync(long, await encodeTrack([{ ms: 3_000, hertz: 440 }, { ms: 300_000 }, { ms: 3_000, hertz: 440 }]));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => rmSync(into(), { force: true }));
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
    ['memory', { memory_bytes: 2 ** 20 }, /memory: \d+ bytes are more than 1048576/],
  ])('stops when it takes too much %s, without leaving a file or a process', async (_what, options, reason) => {
    const log_lines: string[] = [];
    const pids: (number | undefined)[] = [];
    const mix = createMixdown({
      ...options,
      log: (message) => void log_lines.push(message),
      onStart: (pid) => void pids.push(pid),
    });
    expect(await mix(mixtureOf(long))).toBeUndefined();
    expect(log_lines.join()).toMatch(reason);
    expect([pids.length, pids.some(isRunning)]).toEqual([1, false]);
    expect([existsSync(into()), existsSync(`${into()}.new`)]).toEqual([false, false]);
  });

  it('does not use more memory for longer audio', async () => {
    expect(await createMixdown({ memory_bytes: 200 * 2 ** 20 })(mixtureOf(long))).toBeDefined();
    const [samples = new Float32Array(0)] = await decodeSound(readFileSync(into()));
    expect(Math.abs(samples.length / 48 - length_ms)).toBeLessThanOrEqual(20);
    expect([1_000, 150_000, 304_000].map((at_ms) => Math.round(10 * amplitudeAt(samples, at_ms, 440)))).toEqual([
      3, 0, 3,
    ]);
  });

  it('decodes a track only up to the length of the recording', async () => {
    expect(await createMixdown()(mixtureOf(long, 4_000))).toBeDefined();
    const [samples] = await decodeSound(readFileSync(into()));
    expect((samples?.length ?? 0) / 48_000).toBeLessThan(9.1);
  });

  it('skips a damaged second, and continues in time', async () => {
    const bytes = await encodeTrack([
      { ms: 3_000, hertz: 440 },
      { ms: 3_000, hertz: 880 },
    ]);
    const pages = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index);
    // The first two pages are headers; each of the others is a second.
    bytes.fill(0xff, (pages[3] ?? 0) + 400, (pages[3] ?? 0) + 900);
    writeFileSync(join(folder, 'damaged.ogg'), bytes);
    expect(await createMixdown()(mixtureOf(join(folder, 'damaged.ogg'), 6_000))).toBeDefined();
    const [samples = new Float32Array(0)] = await decodeSound(readFileSync(into()));
    const amplitudes = [0, 1, 2, 3, 4, 5].map((second) =>
      [440, 880].map((hertz) => Math.round(10 * amplitudeAt(samples, second * 1000 + 250, hertz))),
    );
    expect(amplitudes).toEqual([
      [3, 0],
      [0, 0],
      [3, 0],
      [0, 3],
      [0, 3],
      [0, 3],
    ]);
  });

  it('survives invalid packets, and mixes the other tracks', async () => {
    const pages: Buffer[] = [];
    const writer = new OggOpusWriter(7, (page) => pages.push(page));
    // Every mode and bandwidth (RFC 6716, 3.1), with random contents.
    for (let number = 0; number < 2_000; number++) {
      const contents = createHash('sha512').update(String(number)).digest();
      contents[0] = (number % 32) << 3;
      writer.add(contents.subarray(0, 2 + (number % 60)), samplesOf(contents));
    }
    writer.end();
    writeFileSync(join(folder, 'noise.ogg'), Buffer.concat(pages));
    writeFileSync(join(folder, 'tone.ogg'), await encodeTrack([{ ms: 3_000, hertz: 440 }]));
    const noise = { path: join(folder, 'noise.ogg'), starts_ms: 4_000 };
    const mixture = { ...mixtureOf(join(folder, 'tone.ogg'), 100_000), tracks: [noise] };
    mixture.tracks.push({ path: join(folder, 'tone.ogg'), starts_ms: 0 });
    expect(await createMixdown()(mixture)).toBeDefined();
    const [samples = new Float32Array(0)] = await decodeSound(readFileSync(into()));
    expect(Math.round(10 * amplitudeAt(samples, 1_000, 440))).toBe(3);
    expect(peakOf(samples, 5_000)).toBeGreaterThan(0.01);
  });

  it('ends when the process that started it is killed', async () => {
    const script = join(import.meta.dirname, '../testing/begin-mixdown.ts');
    const parent = spawn(process.execPath, [script, long, into()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    await expect.poll(() => existsSync(`${into()}.new`) && statSync(`${into()}.new`).size > 0).toBe(true);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    rmSync(`${into()}.new`);
  });

  it('runs one at a time, in order', async () => {
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
    const results = await Promise.all(
      ['absent.ogg', 'short.ogg', 'short.ogg'].map((name) => mix(mixtureOf(join(folder, name), 1_000))),
    );
    expect(results.map((result) => result !== undefined)).toEqual([false, true, true]);
    expect(running).toEqual([1, 1, 1]);
  });
});
