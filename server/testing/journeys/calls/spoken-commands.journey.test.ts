/** A spoken command: synthesised by flite, transcribed by pocketsphinx, parsed, and not executed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { createPocketSphinx } from '../../../engines/speech/pocketsphinx.ts';
import { createFfmpegTranscoder } from '../../../engines/transcoder/ffmpeg.ts';
import { findPersonas } from '../../world/personas.ts';
import { multipart } from '../../samples/upload.ts';
import { createWorld } from '../../world/world.ts';

const [program = '', ffmpeg = '', flite = ''] = ['pocketsphinx_continuous', 'ffmpeg', 'flite'].map(
  (name) => `/usr/bin/${name}`,
);
const is_installed = [program, ffmpeg, flite].every((path) => existsSync(path));

describeUnlessMissing(is_installed ? undefined : 'pocketsphinx, ffmpeg and flite', 'spoken commands', () => {
  it('are transcribed and parsed, and not executed', async () => {
    const transcoder = createFfmpegTranscoder({ program: ffmpeg });
    const speech = createPocketSphinx({ program, transcoder });
    const world = await createWorld({ engines: { speech, transcoder } });
    const folder = mkdtempSync(join(tmpdir(), 'asterism-spoken-'));
    try {
      const path = join(folder, 'said.wav');
      execFileSync(flite, ['-voice', 'slt', '-t', 'remind me to call the office tomorrow at five', '-o', path]);
      const { alice } = findPersonas();
      const { status, body } = await world.call('POST /commands/voice', {
        token: alice.token,
        ...multipart(readFileSync(path), 'said.wav', 'audio/wav'),
      });
      expect(status).toBe(200);
      expect(body.transcript).toMatch(/remind me/);
      // The engine may miss a word; the text is then not a command, but never a different one.
      expect([undefined, 'remind']).toContain(body.command?.command);
      const jobs = await world.call('GET /scheduled-jobs', { token: alice.token });
      expect(jobs.body.items).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await world.close();
      await speech.close();
    }
  });
});
