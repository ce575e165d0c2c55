import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMixdown, type Mixdown } from '../../../sfu/mixdown/mixdown.ts';
import { ffmpeg } from '../../../sfu/testing/colours.ts';
import { testMixdown } from '../../../sfu/testing/mixdown.contract.ts';
import { decodeSound, writeTrack } from '../../../sfu/testing/tone-tracks.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { createFfmpegTranscoder } from './ffmpeg.ts';

const missing = ffmpeg === undefined ? 'ffmpeg' : undefined;

describeUnlessMissing(missing, 'tracks mixed by ffmpeg', () => {
  testMixdown((mixture) => createFfmpegTranscoder({ program: ffmpeg ?? '' }).mix(mixture));
});

describeUnlessMissing(missing, 'the mixtures of ffmpeg and of Node', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-mixtures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** By how many samples ffmpeg is behind: what its limiter looks ahead. */
  const later = 239;
  const energyOf = (sound: Float32Array) => sound.reduce((sum, sample) => sum + sample * sample, 0);

  it('sound the same: their difference is 25 dB below them, also where the limiter works', async () => {
    const names = ['a.ogg', 'b.ogg', 'c.ogg'].map((name) => join(folder, name));
    const [a = '', b = '', c = ''] = names;
    await writeTrack(a, [{ ms: 4_000, hertz: 440 }, { ms: 3_000 }, { ms: 5_000, hertz: 660, amplitude: 0.7 }]);
    await writeTrack(b, [{ ms: 2_000, hertz: 550 }, { ms: 200 }, { ms: 3_000, hertz: 550, amplitude: 0.1 }]);
    await writeTrack(c, [{ ms: 6_000, hertz: 990, amplitude: 0.7 }]);
    const tracks = names.map((path, index) => ({ path, starts_ms: index * 2_340 }));
    const hear = async (mix: Mixdown) => {
      const into = join(folder, 'mixed.ogg');
      expect(await mix({ tracks, chapters: [], duration_ms: 12_000, into })).toBeDefined();
      return (await decodeSound(readFileSync(into)))[0] ?? new Float32Array(0);
    };
    const ours = await hear(createMixdown());
    const theirs = await hear((mixture) => createFfmpegTranscoder({ program: ffmpeg ?? '' }).mix(mixture));
    expect(Math.abs(ours.length - theirs.length)).toBeLessThanOrEqual(960);
    for (let second = 0; second < 11; second++) {
      const from = second * 48_000;
      const [one, other] = [ours.subarray(from, from + 48_000), theirs.subarray(from + later, from + later + 48_000)];
      const difference = energyOf(one.map((sample, at) => sample - (other[at] ?? 0)));
      const below_db = 10 * Math.log10((energyOf(other) + 1e-3) / (difference + 1e-9));
      // What is heard where packets were lost is not the same in each version of libopus.
      expect(below_db, `in second ${second}`).toBeGreaterThan(second === 4 ? 15 : 25);
    }
  });
});
