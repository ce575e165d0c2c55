/**
 * The program of a decoder process: runs one task after the other. A second thread watches its memory and its parent,
 * because native code that decodes a picture or sound may not return for as long as it likes.
 */
import { setPriority } from 'node:os';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { writeSync } from 'node:fs';
import type { DecoderAnswer, DecoderRequest } from './decoder-process.ts';
import { ApiError } from './errors.ts';

/** How often memory is looked at: an allocation of a picture takes longer to fill. */
const watch_ms = 25;
/** Behind everything that somebody waits for on this machine (nice(2)). */
const niceness = 10;
const mebibyte = 2 ** 20;

type Task = { run(input: unknown): unknown };

if (isMainThread) serve(Number(process.argv[2]));
else watch(workerData as { memory_mb: number });

function serve(memory_mb: number): void {
  process.title = 'asterism decoder';
  lowerPriority();
  new Worker(new URL(import.meta.url), { workerData: { memory_mb } }).unref();
  process.on('message', (request: DecoderRequest) => void answer(request).then((message) => process.send?.(message)));
  // The service has ended.
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
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
    // A system without priorities.
  }
}

function watch({ memory_mb }: { memory_mb: number }): void {
  const parent = process.ppid;
  setInterval(() => {
    const resident_mb = process.memoryUsage.rss() / mebibyte;
    if (resident_mb <= memory_mb && process.ppid === parent) return;
    writeSync(2, `memory: ${Math.round(resident_mb)} MB resident of ${memory_mb} MB\n`);
    process.kill(process.pid, 'SIGKILL');
  }, watch_ms);
}
