/**
 * A child process that decodes uploads: an input that crashes it, or takes too much time or memory, ends only this
 * process.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { ApiError, invalid, type ErrorCode, type Fields } from '../errors.ts';
import type { Limits } from '../load/limits.ts';

/** The request to the child: import a module and call its `run` with the input. */
export type DecoderRequest = { task: string; input: unknown };
/** The child's answer, with its memory use. */
export type DecoderAnswer = { resident_mb: number } & (
  | { output: unknown }
  | { refused: { code: ErrorCode; fields: Fields } }
  | { error: string }
);

/** The process was killed from outside, independently of its input. */
export class DecoderKilled extends Error {}

/** A child process that runs tasks one after the other. */
export type DecoderProcess = {
  readonly pid: number | undefined;
  /** Whether it can take another request: it is running, and earlier ones have left little in its memory. */
  isFit(): boolean;
  /**
   * Runs one task.
   * @param field the field that a refusal names
   * @throws ApiError the refusal of the task; `validation_failed` when the input took too much time or memory or
   *   crashed the process; `unavailable` when no process could be started
   * @throws DecoderKilled when the process was killed from outside
   */
  run(request: DecoderRequest, field: string): Promise<unknown>;
  end(): void;
};

const script = new URL('decoder.child.ts', import.meta.url);
/** Signals sent by other processes. A crash ends a program with different signals. */
const outside_signals = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);
/** How much of the child's final output is kept. */
const stderr_bytes = 4096;

/**
 * Starts a child with an empty environment; it may neither write files, start programs nor open connections (Node's
 * permission model).
 */
export function startDecoderProcess(limits: Limits): DecoderProcess {
  const child = fork(script, [String(limits.decoding_memory_mb), String(process.pid)], {
    serialization: 'advanced',
    env: {},
    // In its own process group: Ctrl+C in a terminal is for the service, which stops its children itself.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [
      `--max-old-space-size=${limits.decoding_heap_mb}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-addons',
      '--allow-worker',
      '--no-warnings',
    ],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < stderr_bytes) said += text;
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const next = nextMessages(child, () => process.off('exit', end));
  keepAlive(child, false);
  let resident_mb = 0;
  let is_ready = false;
  const isAlive = () =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null && child.connected;

  return {
    pid: child.pid,
    isFit: () => isAlive() && resident_mb < limits.decoding_kept_mb,
    end,
    async run(request, field) {
      keepAlive(child, true);
      said = '';
      try {
        is_ready ||= (await next(limits.decoding_start_ms)) === 'ready';
        if (!is_ready) {
          end();
          throw new ApiError('unavailable', { retry_after_s: 2, cause: new Error(`no decoder started: ${said}`) });
        }
        // If the process has just exited, its exit event reports that.
        child.send(request as never, () => undefined);
        const answer = (await next(limits.decoding_ms)) as DecoderAnswer | undefined;
        if (answer === undefined && isAlive()) {
          end();
          return invalid({ [field]: 'takes too long to read' });
        }
        if (!answer && said === '' && outside_signals.has(child.signalCode ?? '')) throw new DecoderKilled();
        resident_mb = answer?.resident_mb ?? 0;
        return outputOf(answer, said, field);
      } finally {
        keepAlive(child, false);
      }
    },
  };
}

/**
 * Waits for the child's next message: undefined when it exits or times out. Only one caller waits at a time, and a
 * delivered message is not retained.
 */
function nextMessages(child: ChildProcess, onEnd: () => void): (timeout_ms: number) => Promise<unknown> {
  let settle: ((message?: unknown) => void) | undefined;
  const finish = () => {
    onEnd();
    settle?.();
  };
  child
    .on('message', (message) => settle?.(message))
    .once('close', finish)
    .once('error', finish);
  return (timeout_ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => settle?.(), timeout_ms);
      settle = (message) => {
        clearTimeout(timer);
        settle = undefined;
        resolve(message);
      };
    });
}

/** Whether a child keeps the event loop of the service alive. */
function keepAlive(child: ChildProcess, is_kept: boolean): void {
  const how = is_kept ? 'ref' : 'unref';
  child[how]();
  child.channel?.[how]();
  (child.stderr as { ref?(): void; unref?(): void } | null)?.[how]?.();
}

function outputOf(answer: DecoderAnswer | undefined, said: string, field: string): unknown {
  if (!answer) {
    const cause = new Error(`a decoder ended: ${said.slice(0, 500)}`);
    return invalid({ [field]: /memory/.test(said) ? 'takes too much memory to read' : 'could not be read' }, { cause });
  }
  if ('refused' in answer) throw new ApiError(answer.refused.code, { fields: answer.refused.fields });
  if ('error' in answer) return invalid({ [field]: 'could not be read' }, { cause: new Error(answer.error) });
  return answer.output;
}
