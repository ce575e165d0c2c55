/**
 * The main program of a decoder process: runs one task after the other. A worker thread watches its memory and its
 * parent, because native decoders block the main thread.
 */
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { writeSync } from 'node:fs';
import type { DecoderAnswer, DecoderRequest } from './decoder-process.ts';
import { ApiError } from '../errors.ts';

/** The interval of memory checks: filling the buffer of a picture takes longer. */
const watch_ms = 25;
/** The priority of decoders, below everything that users of this machine wait for (nice(2)). */
const niceness = 10;
const mebibyte = 2 ** 20;

type Task = { run(input: unknown): unknown };

type Watched = { memory_mb: number; parent: number };

if (isMainThread) serve({ memory_mb: Number(process.argv[2]), parent: Number(process.argv[3]) });
else watch(workerData as Watched);

function serve(watched: Watched): void {
  process.title = 'asterism decoder';
  lowerPriority();
  const watcher = new Worker(new URL(import.meta.url), { workerData: watched });
  process.on('message', (request: DecoderRequest) => void answer(request).then((message) => process.send?.(message)));
  // The parent process has exited.
  process.on('disconnect', () => process.exit());
  // Nothing is decoded before the watch has started or after it has ended.
  watcher.once('message', () => process.send?.('ready'));
  watcher.once('exit', () => process.exit(1));
}

async function answer(request: DecoderRequest): Promise<DecoderAnswer> {
  const outcome = await runTask(request);
  return { ...outcome, resident_mb: process.memoryUsage.rss() / mebibyte };
}

type Outcome = DecoderAnswer extends infer A ? (A extends unknown ? Omit<A, 'resident_mb'> : never) : never;

async function runTask({ task, input }: DecoderRequest): Promise<Outcome> {
  try {
    const { run } = (await import(task)) as Task;
    return { output: await run(input) };
  } catch (error) {
    if (error instanceof ApiError && error.fields) return { refused: { code: error.code, fields: error.fields } };
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function lowerPriority(): void {
  try {
    setPriority(niceness);
  } catch {
    // The system has no priorities.
  }
}

/** Ends the process when it uses too much memory, or when its parent has exited. */
function watch({ memory_mb, parent }: Watched): void {
  setInterval(() => {
    const resident_mb = process.memoryUsage.rss() / mebibyte;
    if (resident_mb <= memory_mb && process.ppid === parent) return;
    try {
      writeSync(2, `memory: ${Math.round(resident_mb)} MB resident of ${memory_mb} MB\n`);
    } catch {
      // The output has no reader any more.
    }
    process.kill(process.pid, 'SIGKILL');
  }, watch_ms); // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage('watching');
}
