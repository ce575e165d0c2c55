/** Mixes recorded tracks into one file, in a child process with limits on time, memory and permissions. */
import { fork } from 'node:child_process';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import type { MixdownRequest } from './mixdown.child.ts';
import type { MixInput } from './mix-tracks.ts';

const script = new URL('mixdown.child.ts', import.meta.url);
const START_MS = 60_000;
/** The minimum speed: decoding a second of a track takes a hundredth of that on an idle core. */
const MS_PER_TRACK_SECOND = 200;
/** The maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const HEAP_MB = 64;
const MEMORY_BYTES = 320 * 2 ** 20;
/** The output limit: twice the bitrate, in bytes per second, and a mebibyte for headers. */
const BYTES_PER_SECOND = 16_000;
const BYTES_BEFORE = 2 ** 20;
/** How much of the child's final output is kept. */
const KEPT_OUTPUT_BYTES = 4096;

/** The limits of a mix. */
export type MixdownOptions = {
  /** Called with the reason when a mix fails. */
  log?(message: string): void;
  /** Time limit of one mix; by default a minute plus a fifth of the total track duration. */
  timeout_ms?: number;
  /** The memory limit of the child, in bytes. */
  memory_bytes?: number;
  /** Called with the process id of each child, for tests. */
  onStart?(pid: number | undefined): void;
};

/**
 * Mixes tracks into one file with chapters, replacing an existing file. One mix runs at a time.
 * @returns undefined when that fails because of the tracks; then no file is left
 * @throws the error of the file system when the file cannot be created
 */
export type Mixdown = (mixture: MixInput & { into: string }) => Promise<{ size_bytes: number } | undefined>;

/** Creates a mixdown; no process runs before its first use. */
export function createMixdown(options: MixdownOptions = {}): Mixdown {
  let mixing: Promise<unknown> = Promise.resolve();
  return (mixture) => {
    const mixed = mixing.then(() => mixInto(mixture, options));
    mixing = mixed.catch(() => undefined);
    return mixed;
  };
}

async function mixInto(
  { into, ...mixture }: MixInput & { into: string },
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

/**
 * Runs the child with an empty environment; it may neither open files for writing, start programs nor open connections.
 */
function runChild(mixture: MixInput, output: FileHandle, options: MixdownOptions): Promise<boolean> {
  const length_s = mixture.duration_ms / 1000;
  const usual_ms = START_MS + mixture.tracks.length * length_s * MS_PER_TRACK_SECOND;
  const timeout_ms = Math.min(options.timeout_ms ?? usual_ms, MAX_TIMER_MS);
  const request: MixdownRequest = {
    mixture: {
      tracks: mixture.tracks.map(({ path, starts_ms }) => ({ path, starts_ms })),
      chapters: mixture.chapters,
      duration_ms: mixture.duration_ms,
    },
    file_bytes: length_s * BYTES_PER_SECOND + BYTES_BEFORE,
    memory_bytes: options.memory_bytes ?? MEMORY_BYTES,
  };
  return new Promise((resolve) => {
    const child = fork(script, {
      env: {},
      // In its own process group: Ctrl+C in a terminal is for the service, which stops its children itself.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', output.fd],
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--permission', '--allow-fs-read=*', '--no-warnings'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < KEPT_OUTPUT_BYTES) said += text;
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
    // A process that just exited reports that itself.
    child.send(request, () => undefined);
  });
}
