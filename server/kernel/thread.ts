/** Threads for what strangers send: what is broken, or made to cost time or memory, costs its thread only. */
import { Worker } from 'node:worker_threads';
import type { Limits } from './limits.ts';

/**
 * Runs a script in a thread of its own, within bounds of time and memory; answers its first message, undefined when it
 * ends without one.
 * @param data reaches the script as `workerData`
 */
export function runInThread<T>(script: URL, data: unknown, limits: Limits): Promise<T | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(script, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: limits.decoding_memory_mb },
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
    });
    const settle = (message: T | undefined) => {
      clearTimeout(timer);
      resolve(message);
      void worker.terminate();
    };
    const timer = setTimeout(() => settle(undefined), limits.decoding_ms);
    worker.once('message', settle);
    worker.once('error', () => settle(undefined));
    worker.once('exit', () => settle(undefined));
  });
}
