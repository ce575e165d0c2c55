/**
 * Decoding of what users send: pictures, sound, film, tables and address cards. It happens in a few child processes that
 * are reused, started at first use and ended after a while without any; accounts share them fairly.
 */
import { DecoderKilled, startDecoderProcess, type DecoderProcess } from './decoder-process.ts';
import { fail } from '../errors.ts';
import { createFairQueue } from '../load/fair-queue.ts';
import type { Limits } from '../load/limits.ts';

/**
 * Runs a task in a child process: a module whose `run` gets the input and answers the output. Both are copied
 * (structured clone), buffers too.
 * @param field what is named when the input cannot be read; `file` unless told
 * @throws ApiError what the task refuses with; `validation_failed` when it fails, or takes more time or memory than
 *   `decoding_ms`, `decoding_heap_mb` and `decoding_memory_mb` allow
 */
export type Decode = <Output>(task: URL, input: unknown, field?: string) => Promise<Output>;

export type Decoder = {
  /**
   * Waits for a turn and for a process, and does one account's work with it. What else the work starts, such as ffmpeg,
   * counts into the same turn.
   * @throws ApiError `unavailable` when too much waits already
   */
  use<Output>(account: string, work: (decode: Decode) => Promise<Output>): Promise<Output>;
  /** The processes that run now. */
  pids(): number[];
  /** Ends all processes. */
  close(): void;
};

/** Makes a decoder; no process runs before its first use. */
export function createDecoder(limits: Limits): Decoder {
  const queue = createFairQueue(
    {
      running: limits.decoding_running,
      running_per_account: limits.decoding_per_account,
      waiting: limits.decoding_waiting,
    },
    () => fail('unavailable', { retry_after_s: 2 }),
  );
  const all = new Set<DecoderProcess>();
  /** Those without work, the one that had some last at the end, and what ends each. */
  const idle = new Map<DecoderProcess, NodeJS.Timeout>();

  let is_closed = false;

  const take = (): DecoderProcess => {
    if (is_closed) fail('unavailable', { retry_after_s: 2 });
    for (const one of [...idle.keys()].toReversed()) {
      clearTimeout(idle.get(one));
      idle.delete(one);
      if (one.isFit()) return one;
      drop(one);
    }
    const started = startDecoderProcess(limits);
    all.add(started);
    return started;
  };
  const drop = (one: DecoderProcess) => {
    idle.delete(one);
    all.delete(one);
    one.end();
  };
  const giveBack = (one: DecoderProcess) => {
    if (!all.has(one)) return;
    if (one.isFit()) idle.set(one, setTimeout(drop, limits.decoding_idle_ms, one).unref());
    else drop(one);
  };

  /** A process that was ended from outside is replaced once: the input is not to blame. */
  const decode = async (task: URL, input: unknown, field = 'file', may_repeat = true): Promise<unknown> => {
    const one = take();
    try {
      return await one.run({ task: task.href, input }, field);
    } catch (error) {
      if (!(error instanceof DecoderKilled)) throw error;
      if (!may_repeat) fail('unavailable', { retry_after_s: 2, cause: error });
    } finally {
      giveBack(one);
    }
    return decode(task, input, field, false);
  };

  return {
    use: (account, work) => queue.run(account, () => work((task, input, field) => decode(task, input, field) as never)),
    pids: () => [...all].flatMap(({ pid }) => pid ?? []),
    close() {
      is_closed = true;
      for (const one of all) drop(one);
    },
  };
}
