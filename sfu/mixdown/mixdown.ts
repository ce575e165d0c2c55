/** Recorded tracks into one file, in a child process that is bounded in time, memory and what it may do. */
import { fork } from 'node:child_process';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import type { MixdownRequest } from './mixdown.child.ts';
import type { Mixture } from './mix-tracks.ts';

const script = new URL('mixdown.child.ts', import.meta.url);
const start_ms = 60_000;
/** Decoding a second of a track takes a hundredth of that on an idle core. */
const ms_per_track_second = 200;
/** What a timer can wait for. */
const longest_timer_ms = 2 ** 31 - 1;
const heap_mb = 64;
const memory_bytes = 320 * 2 ** 20;
/** Twice what the sound takes, in octets a second, and a mebibyte for what stands before it. */
const bytes_per_second = 16_000;
const bytes_before = 2 ** 20;
/** How much of what the child says at its end is kept. */
const said_bytes = 4096;

export type MixdownOptions = {
  /** Hears why a mixture was not made. */
  log?(message: string): void;
  /** The most that one takes; a minute and a fifth of the length of all tracks unless told. */
  timeout_ms?: number;
  /** The memory that the child may hold, in octets. */
  memory_bytes?: number;
  /** Hears the id of each child, for tests. */
  onStart?(pid: number | undefined): void;
};

/**
 * Makes one file of tracks, with chapters; an existing one is replaced. One is made at a time.
 * @returns undefined when that is not to be had, for whatever a track holds; then nothing is left behind
 * @throws the error of the file system when the file cannot be made
 */
export type Mixdown = (mixture: Mixture & { into: string }) => Promise<{ size_bytes: number } | undefined>;

/** Makes a mixdown; no process runs before its first use. */
export function createMixdown(options: MixdownOptions = {}): Mixdown {
  let mixing: Promise<unknown> = Promise.resolve();
  return (mixture) => {
    const mixed = mixing.then(() => mixInto(mixture, options));
    mixing = mixed.catch(() => undefined);
    return mixed;
  };
}

async function mixInto(
  { into, ...mixture }: Mixture & { into: string },
  options: MixdownOptions,
): Promise<{ size_bytes: number } | undefined> {
  if (mixture.tracks.length === 0) return undefined;
  const unfinished = `${into}.new`;
  try {
    const output = await open(unfinished, 'w', 0o600);
    const is_done = await runChild(mixture, output, options).finally(() => output.close());
    if (!is_done) return undefined;
    await rename(unfinished, into);
    return { size_bytes: (await stat(into)).size };
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Runs the program. It has no environment, and may neither open files to write, start programs nor open connections. */
function runChild(mixture: Mixture, output: FileHandle, options: MixdownOptions): Promise<boolean> {
  const length_s = mixture.duration_ms / 1000;
  const usual_ms = start_ms + mixture.tracks.length * length_s * ms_per_track_second;
  const timeout_ms = Math.min(options.timeout_ms ?? usual_ms, longest_timer_ms);
  const request: MixdownRequest = {
    mixture: {
      tracks: mixture.tracks.map(({ path, starts_ms }) => ({ path, starts_ms })),
      chapters: mixture.chapters,
      duration_ms: mixture.duration_ms,
    },
    file_bytes: length_s * bytes_per_second + bytes_before,
    memory_bytes: options.memory_bytes ?? memory_bytes,
  };
  return new Promise((resolve) => {
    const child = fork(script, {
      env: {},
      // Of a group of its own: Ctrl+C in a terminal is meant for the service, which ends its children when it is ready to.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', output.fd],
      execArgv: [`--max-old-space-size=${heap_mb}`, '--permission', '--allow-fs-read=*', '--no-warnings'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < said_bytes) said += text;
    });
    const end = () => void child.kill('SIGKILL');
    process.once('exit', end);
    const timer = setTimeout(() => {
      said += `it takes longer than ${timeout_ms} ms`;
      end();
    }, timeout_ms);
    const finish = (is_done: boolean) => {
      clearTimeout(timer);
      process.off('exit', end);
      if (!is_done) options.log?.(`tracks were not mixed: ${said.slice(0, 500)}`);
      resolve(is_done);
    };
    child.once('error', () => finish(false)).once('close', (code) => finish(code === 0));
    options.onStart?.(child.pid);
    // One that has just ended says so by itself.
    child.send(request, () => undefined);
  });
}
