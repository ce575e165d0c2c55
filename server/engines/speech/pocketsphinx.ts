/**
 * Speech recognition by Debian's pocketsphinx with its English model, offline: basic, for clear speech in a quiet room.
 * It runs in a child process with limits of time and memory, one at a time, and a crash only loses that transcript.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Speech, Transcoder } from '../ports.ts';

/** The PocketSphinx program, and what it needs. */
export type PocketSphinxOptions = {
  /** The program, as an absolute path. */
  program: string;
  /** The folder of its models. */
  models?: string;
  transcoder: Transcoder;
  timeout_ms?: number;
};

/** The sample rate that the model was trained with. */
const sample_rate = 16_000;
/** Slightly more than three minutes, the maximum of a message. */
const max_samples = sample_rate * 200;
const memory_kib = 1_500_000;

/** Opens it. `transcribe` returns undefined for audio that cannot be decoded, or not within `timeout_ms` (5 min). */
export function createPocketSphinx(options: PocketSphinxOptions): Speech {
  const { transcoder } = options;
  const ending = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let waited: Promise<unknown> = Promise.resolve();
  return {
    async transcribe(bytes, content_type, hints) {
      const pieces: Float32Array[] = [];
      let count = 0;
      const onSamples = (samples: Float32Array) => {
        if (count >= max_samples) return;
        pieces.push(samples);
        count += samples.length;
      };
      if (!(await transcoder.listen(bytes, content_type, onSamples, sample_rate)) || count === 0) return undefined;
      if (hints) {
        // A user waits for it: queued behind other such requests, but not behind long messages.
        const timeout_ms = Math.min(options.timeout_ms ?? hints.timeout_ms, hints.timeout_ms);
        const urgent = waited.then(() => decode({ ...options, timeout_ms }, writeWave(pieces), ending.signal));
        waited = urgent.catch(() => undefined);
        return urgent;
      }
      const recognition = last.then(() => decode(options, writeWave(pieces), ending.signal));
      last = recognition.catch(() => undefined);
      return recognition;
    },
    async close() {
      ending.abort();
      await Promise.all([last, waited]);
    },
  };
}

/** Samples as a RIFF WAVE file of 16-bit PCM. */
function writeWave(pieces: Float32Array[]): Buffer {
  const count = pieces.reduce((sum, { length }) => sum + length, 0);
  const wave = Buffer.alloc(44 + count * 2);
  wave.write('RIFF', 0);
  wave.writeUInt32LE(36 + count * 2, 4);
  wave.write('WAVEfmt ', 8);
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(sample_rate, 24);
  wave.writeUInt32LE(sample_rate * 2, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write('data', 36);
  wave.writeUInt32LE(count * 2, 40);
  let at = 44;
  for (const piece of pieces) {
    for (const sample of piece) at = wave.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at);
  }
  return wave;
}

async function decode(
  { program, models = '/usr/share/pocketsphinx/model/en-us', timeout_ms = 300_000 }: PocketSphinxOptions,
  wave: Buffer,
  signal: AbortSignal,
): Promise<{ text: string } | undefined> {
  if (signal.aborted) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'asterism-speech-'));
  try {
    await writeFile(join(folder, 'in.wav'), wave, { mode: 0o600 });
    const model = [
      '-hmm',
      join(models, 'en-us'),
      '-lm',
      join(models, 'en-us.lm.bin'),
      '-dict',
      join(models, 'cmudict-en-us.dict'),
    ];
    const bounds = `ulimit -t ${Math.ceil(timeout_ms / 1000)}; ulimit -v ${memory_kib} 2>/dev/null; ulimit -f 0; exec nice -n 15 "$0" "$@"`;
    const command = ['-c', bounds, program, '-infile', 'in.wav', '-logfn', '/dev/null', ...model];
    const said = await read(folder, command, AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]));
    const text = said
      ?.split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .join('. ');
    return text ? { text } : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const max_output_bytes = 100_000;

/** The output of a command; undefined when it fails. */
function read(cwd: string, command: string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', command, {
      cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stdout.on('data', (piece: Buffer) => {
      if (said.length < max_output_bytes) said += piece.toString();
    });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? said : undefined));
  });
}
