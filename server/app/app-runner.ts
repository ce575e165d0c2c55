/** A service from its configuration to its close, for the program and for tests that run several in one process. */
import { buildApp } from './app.ts';
import type { Config } from './config/config.ts';
import { closeEngines, openEngines } from './engines.ts';
import type { Tracing } from '../engines/ports.ts';
import type { Log } from '../kernel/observability/log.ts';
import { createClock } from '../kernel/time.ts';

export type AppRunner = {
  /**
   * Resolves to the port once it listens; rejects when it cannot start.
   * @param before_listening what has to happen before the first request can wait for it
   */
  start(before_listening?: () => void): Promise<number>;
  /** Closes what has been opened so far, in reverse, also after a start that failed. */
  close(): Promise<void>;
};

/** Prepares to run a service; nothing is opened before `start`. @param tracing is closed with it */
export function createAppRunner(config: Config, log: Log, tracing: Tracing | undefined): AppRunner {
  const opened: { close(): Promise<unknown> }[] = tracing ? [tracing] : [];
  return {
    async start(before_listening) {
      const clock = createClock();
      const engines = await openEngines(config, clock, (line) => log.info(line));
      opened.push({ close: () => closeEngines(engines) });
      const app = await buildApp({ config, engines, clock, log, tracing });
      opened.push(app);
      before_listening?.();
      return app.listen();
    },
    async close() {
      for (let one = opened.pop(); one; one = opened.pop()) await one.close();
    },
  };
}
