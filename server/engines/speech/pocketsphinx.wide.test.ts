import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testSpeech } from '../../testing/contracts/speech.contract.ts';
import { createPocketSphinx } from './pocketsphinx.ts';
import { createFfmpegTranscoder } from '../transcoder/ffmpeg.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const [sphinx, ffmpeg, flite] = ['pocketsphinx_continuous', 'ffmpeg', 'flite'].map((name) => `/usr/bin/${name}`);
const is_installed = [sphinx, ffmpeg, flite].every((path) => path !== undefined && existsSync(path));

describeUnlessMissing(is_installed ? undefined : 'pocketsphinx, ffmpeg and flite', 'speech with pocketsphinx', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-said-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const transcoder = createFfmpegTranscoder({ program: ffmpeg ?? '' });
  const open = (timeout_ms?: number) =>
    createPocketSphinx({ program: sphinx ?? '', transcoder, ...(timeout_ms ? { timeout_ms } : {}) });
  function synthesise(text: string): string {
    const path = join(folder, 'said.wav');
    execFileSync(flite ?? '', ['-voice', 'slt', '-t', text, '-o', path]);
    return path;
  }

  testSpeech(async () => ({
    speech: open(),
    sample: {
      bytes: readFileSync(synthesise('please call me back tomorrow morning')),
      content_type: 'audio/wav',
      word: 'morning',
    },
    close: async () => undefined,
  }));

  it('transcribes clear speech in the format of a browser', async () => {
    const wave = synthesise('hello this is a message please call me back tomorrow morning');
    const path = join(folder, 'said.webm');
    execFileSync(ffmpeg ?? '', ['-loglevel', 'error', '-y', '-i', wave, '-c:a', 'libopus', '-b:a', '32k', path]);
    const transcript = await open().transcribe(readFileSync(path), 'audio/webm');
    const words = new Set(transcript?.text.split(' '));
    const found = 'hello this is a message please call me back tomorrow morning'
      .split(' ')
      .filter((word) => words.has(word));
    expect(found.length).toBeGreaterThanOrEqual(9);
  });

  it('returns undefined for data that is not audio, and after a timeout', async () => {
    expect(await open().transcribe(Buffer.from('no sound at all'), 'audio/wav')).toBeUndefined();
    const wave = readFileSync(synthesise('this takes longer than a millisecond'));
    expect(await open(1).transcribe(wave, 'audio/wav')).toBeUndefined();
  });
});
