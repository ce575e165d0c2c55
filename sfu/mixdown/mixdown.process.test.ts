import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OggOpusWriter } from '../opus/ogg.ts';
import { samplesOf } from '../opus/opus-packets.ts';
import { testMixdown } from '../testing/mixdown.contract.ts';
import { amplitudeAt, decodeSound, encodeTrack, peakOf } from '../testing/tone-tracks.ts';
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

  it('is not ended by packets that make no sense, and hears the others', async () => {
    const pages: Buffer[] = [];
    const writer = new OggOpusWriter(7, (page) => pages.push(page));
    // Every mode and bandwidth (RFC 6716, 3.1), with contents that nothing has encoded.
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
    const [sound = new Float32Array(0)] = await decodeSound(readFileSync(into()));
    expect(Math.round(10 * amplitudeAt(sound, 1_000, 440))).toBe(3);
    expect(peakOf(sound, 5_000)).toBeGreaterThan(0.01);
  });

  it('ends with the process that began it, however that ends', async () => {
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
