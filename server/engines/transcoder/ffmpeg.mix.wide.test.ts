import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMixdown, type Mixdown } from '../../../sfu/mixdown/mixdown.ts';
import { ffmpeg } from '../../../sfu/testing/colours.ts';
import { testMixdown } from '../../../sfu/testing/contracts/mixdown.contract.ts';
import { decodeSound, writeTrack } from '../../../sfu/testing/tone-tracks.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';
import { createFfmpegTranscoder } from './ffmpeg.ts';

const missing = ffmpeg === undefined ? 'ffmpeg' : undefined;

describeUnlessMissing(missing, 'mixing of tracks with ffmpeg', () => {
  testMixdown((mixture) => createFfmpegTranscoder({ program: ffmpeg ?? '' }).mix(mixture));
});

describeUnlessMissing(missing, 'the mixdowns of ffmpeg and of Node', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-mixtures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** By how many samples the output of ffmpeg is delayed: the look-ahead of its limiter. */
  const delay_samples = 239;
  const energyOf = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);

  it('differ by less than -25 dB, also where the limiter is active', async () => {
    const names = ['a.ogg', 'b.ogg', 'c.ogg'].map((name) => join(folder, name));
    const [a = '', b = '', c = ''] = names;
    await writeTrack(a, [{ ms: 4_000, hertz: 440 }, { ms: 3_000 }, { ms: 5_000, hertz: 660, amplitude: 0.7 }]);
    await writeTrack(b, [{ ms: 2_000, hertz: 550 }, { ms: 200 }, { ms: 3_000, hertz: 550, amplitude: 0.1 }]);
    await writeTrack(c, [{ ms: 6_000, hertz: 990, amplitude: 0.7 }]);
    const tracks = names.map((path, index) => ({ path, starts_ms: index * 2_340 }));
    const mixAndDecode = async (mix: Mixdown) => {
      const into = join(folder, 'mixed.ogg');
      expect(await mix({ tracks, chapters: [], duration_ms: 12_000, into })).toBeDefined();
      return (await decodeSound(readFileSync(into)))[0] ?? new Float32Array(0);
    };
    const by_node = await mixAndDecode(createMixdown());
    const by_ffmpeg = await mixAndDecode((mixture) => createFfmpegTranscoder({ program: ffmpeg ?? '' }).mix(mixture));
    expect(Math.abs(by_node.length - by_ffmpeg.length)).toBeLessThanOrEqual(960);
    for (let second = 0; second < 11; second++) {
      const from = second * 48_000;
      const [node_part, ffmpeg_part] = [
        by_node.subarray(from, from + 48_000),
        by_ffmpeg.subarray(from + delay_samples, from + delay_samples + 48_000),
      ];
      const difference = energyOf(node_part.map((sample, at) => sample - (ffmpeg_part[at] ?? 0)));
      const below_db = 10 * Math.log10((energyOf(ffmpeg_part) + 1e-3) / (difference + 1e-9));
      // The concealment of lost packets differs between versions of libopus.
      expect(below_db, `in second ${second}`).toBeGreaterThan(second === 4 ? 15 : 25);
    }
  });
});
