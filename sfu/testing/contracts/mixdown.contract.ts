/** The requirements for every implementation of a mixdown of recorded tracks. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mixdown } from '../../mixdown/mixdown.ts';
import { amplitudeAt, decodeSound, encodeTrack, peakOf, writeTrack, type Span } from '../tone-tracks.ts';

/** Declares the suite's tests. */
export function testMixdown(mix: Mixdown): void {
  let parent = '';
  let folder = '';
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'asterism-mixdown-'));
  });
  afterAll(() => rmSync(parent, { recursive: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(parent, 'one-'));
  });

  async function track(name: string, starts_ms: number, spans: Span[]) {
    const path = join(folder, name);
    await writeTrack(path, spans);
    return { path, starts_ms };
  }
  /** Mixes tracks. @returns the file, and its decoded channels */
  async function mixAndDecode(
    tracks: { path: string; starts_ms: number }[],
    duration_ms: number,
    chapters = [chapter],
  ) {
    const into = join(folder, 'mixed.ogg');
    const result = await mix({ tracks, chapters, duration_ms, into });
    const bytes = readFileSync(into);
    expect(result).toEqual({ size_bytes: bytes.length });
    const [left = new Float32Array(0), right = new Float32Array(0)] = await decodeSound(bytes);
    return { bytes, left, right };
  }
  const chapter = { from_ms: 0, title: 'Ann' };
  const seconds = (count: number) => Array.from({ length: count }, (_, second) => second);

  test('contains each tone at its time and level, and silence elsewhere', async () => {
    const low = await track('low.ogg', 1_000, [{ ms: 4_000, hertz: 440 }]);
    const high = await track('high.ogg', 3_000, [{ ms: 2_000, hertz: 880 }, { ms: 3_000 }, { ms: 2_000, hertz: 880 }]);
    const { bytes, left, right } = await mixAndDecode([low, high], 10_000);
    expect(Math.abs(left.length / 48 - 10_000)).toBeLessThanOrEqual(20);
    for (const samples of [left, right]) {
      const amplitudes = (hertz: number) =>
        seconds(10).map((second) => amplitudeAt(samples, second * 1000 + 250, hertz));
      for (const [second, amplitude] of amplitudes(440).entries())
        expect(amplitude, `440 Hz at ${second} s`).toBeCloseTo(second >= 1 && second < 5 ? 0.3 : 0, 1);
      for (const [second, amplitude] of amplitudes(880).entries())
        expect(amplitude, `880 Hz at ${second} s`).toBeCloseTo((second >= 3 && second < 5) || second >= 8 ? 0.3 : 0, 1);
      expect(peakOf(samples, 0, 950)).toBeLessThan(0.01);
      expect(peakOf(samples, 6_000, 7_900)).toBeLessThan(0.01);
    }
    expect((bytes.length * 8) / 10).toBeLessThan(80_000);
    expect(bytes.readUInt8(bytes.indexOf('OpusHead') + 9)).toBe(2);
    expect(readdirSync(folder).toSorted()).toEqual(['high.ogg', 'low.ogg', 'mixed.ogg']);
  });

  test('starts a tone within 6 ms of its position', async () => {
    const single_track = await track('one.ogg', 1_020, [{ ms: 980, hertz: 1_000 }]);
    const { left } = await mixAndDecode([single_track], 2_000);
    const [decoded_track = new Float32Array(0)] = await decodeSound(readFileSync(single_track.path));
    const [mixed_start_ms, track_start_ms] = [left, decoded_track].map(
      (samples) => samples.findIndex((x) => Math.abs(x) > 0.05) / 48,
    );
    // The limiter of ffmpeg adds a delay of 5 ms.
    expect(Math.abs((mixed_start_ms ?? 0) - (track_start_ms ?? 0) - 1_020)).toBeLessThan(6);
  });

  test('limits the sum of loud tracks, and leaves the level before and after unchanged', async () => {
    const spans = [{ ms: 3_000, hertz: 500, amplitude: 0.6 }];
    const others = [await track('b.ogg', 1_000, spans), await track('c.ogg', 1_000, spans)];
    const long = await track('a.ogg', 0, [{ ms: 6_000, hertz: 500, amplitude: 0.6 }]);
    const { left } = await mixAndDecode([long, ...others], 6_000);
    expect(amplitudeAt(left, 250, 500)).toBeCloseTo(0.6, 1);
    expect(amplitudeAt(left, 2_000, 500)).toBeCloseTo(0.95, 1);
    expect(amplitudeAt(left, 5_000, 500)).toBeCloseTo(0.6, 1);
    // The codec overshoots slightly.
    expect(peakOf(left)).toBeLessThan(1);
  });

  test('contains the chapters as comments, also when there are many', async () => {
    const single_track = await track('one.ogg', 0, [{ ms: 1_000, hertz: 440 }]);
    const few = [chapter, { from_ms: 3_723_004, title: 'Ben = #1; "A\\B"\nand more' }];
    const { bytes } = await mixAndDecode([single_track], 1_000, few);
    for (const comment of [
      'CHAPTER000=00:00:00.000',
      'CHAPTER000NAME=Ann',
      'CHAPTER001=01:02:03.004',
      'CHAPTER001NAME=Ben = #1; "A\\B" and more',
    ])
      expect(bytes.includes(comment), comment).toBe(true);
    const title = 'Somebody with a name that is not short at all, so that comments need more than a page';
    const many = await mixAndDecode(
      [single_track],
      1_000,
      Array.from({ length: 999 }, (_, at) => ({ from_ms: at, title })),
    );
    expect(many.bytes.includes('CHAPTER998NAME=Somebody')).toBe(true);
    expect(amplitudeAt(many.left, 250, 440)).toBeCloseTo(0.3, 1);
  });

  test('contains a truncated track up to its end, and the others completely', async () => {
    const whole = await encodeTrack([{ ms: 6_000, hertz: 440 }]);
    writeFileSync(join(folder, 'cut.ogg'), whole.subarray(0, whole.length / 2));
    const other = await track('other.ogg', 0, [{ ms: 6_000, hertz: 880 }]);
    const { left } = await mixAndDecode([{ path: join(folder, 'cut.ogg'), starts_ms: 0 }, other], 6_000);
    expect(seconds(6).map((second) => Math.round(10 * amplitudeAt(left, second * 1000 + 250, 880)))).toEqual(
      seconds(6).map(() => 3),
    );
    const cut = [0, 1, 4, 5].map((second) => Math.round(10 * amplitudeAt(left, second * 1000 + 250, 440)));
    expect(cut).toEqual([3, 3, 0, 0]);
  });

  test('leaves no file behind for a missing file, an invalid file, or no tracks', async () => {
    const good = await track('good.ogg', 0, [{ ms: 1_000, hertz: 440 }]);
    writeFileSync(join(folder, 'text.ogg'), 'OggS and nothing more');
    const into = join(folder, 'mixed.ogg');
    for (const path of [join(folder, 'absent.ogg'), join(folder, 'text.ogg')]) {
      const tracks = [good, { path, starts_ms: 0 }];
      expect(await mix({ tracks, chapters: [], duration_ms: 1_000, into })).toBeUndefined();
    }
    expect(await mix({ tracks: [], chapters: [], duration_ms: 1_000, into })).toBeUndefined();
    expect([existsSync(into), readdirSync(folder).toSorted()]).toEqual([false, ['good.ogg', 'text.ogg']]);
  });
}
