/**
 * Decoding of uploads: pictures, audio, video, tables and vCards. It runs in a few child processes that are reused,
 * started on demand and ended when idle; accounts share them fairly.
 */
import { DecoderKilled, startDecoderProcess, type DecoderProcess } from './decoder-process.ts';
import { fail } from '../errors.ts';
import { createFairQueue } from '../load/fair-queue.ts';
import type { Limits } from '../load/limits.ts';

/**
 * Runs a task in a child process: a module whose `run` gets the input and returns the output. Both are copied
 * (structured clone), buffers included.
 * @param field the field that a refusal names; `file` by default
 * @throws ApiError the refusal of the task; `validation_failed` when it crashes, or exceeds `decoding_ms`,
 *   `decoding_heap_mb` or `decoding_memory_mb`
 */
export type Decode = <Output>(task: URL, input: unknown, field?: string) => Promise<Output>;

/** The decoder processes of a service. */
export type Decoder = {
  /**
   * Waits for its turn and for a process, and runs the work of one account with it. Anything else that the work starts,
   * such as ffmpeg, belongs to the same turn.
   * @throws ApiError `unavailable` when the queue is full
   */
  use<Output>(account: string, work: (decode: Decode) => Promise<Output>): Promise<Output>;
  /** The number of running processes. */
  pids(): number[];
  /** Stops all processes. */
  close(): void;
};

/** Creates a decoder; the first process starts on first use. */
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
  /** Idle processes, the most recently used one last, and their idle timers. */
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
  const release = (one: DecoderProcess) => {
    if (!all.has(one)) return;
    if (one.isFit()) idle.set(one, setTimeout(drop, limits.decoding_idle_ms, one).unref());
    else drop(one);
  };

  /** A process killed from outside is replaced once: its input was not the cause. */
  const decode = async (task: URL, input: unknown, field = 'file', may_repeat = true): Promise<unknown> => {
    const one = take();
    try {
      return await one.run({ task: task.href, input }, field);
    } catch (error) {
      if (!(error instanceof DecoderKilled)) throw error;
      if (!may_repeat) fail('unavailable', { retry_after_s: 2, cause: error });
    } finally {
      release(one);
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
