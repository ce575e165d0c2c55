/** Starts the service: configuration, engines, app, listen; and closes in reverse. */
import { join } from 'node:path';
import { printHelp, readOwnConfig } from './app/config/config.ts';
import { openTracing } from './app/engines.ts';
import { explainFailure } from './app/failure.ts';
import { releaseStartMemory } from './app/memory.ts';
import { createAppRunner, type AppRunner } from './app/app-runner.ts';
import { createLog, type Log } from './kernel/observability/log.ts';
import { traceFields } from './kernel/tracing.ts';

const started_ms = performance.now();
const root = join(import.meta.dirname, '..');
/** How long a stop may take until it ends what is left: requests and jobs have had their 10 s (`kernel/load/limits.ts`), and engines theirs. */
const stop_ms = 20_000;
/** Signals that come within this time are one word. */
const same_signal_ms = 500;

/** What runs here; a stop and a start that fails close it. */
let running: AppRunner | undefined;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(printHelp());
    return;
  }
  const config = readOwnConfig(root);
  const tracing = await openTracing(config);
  const log = createLog(config.log_level, tracing && (() => traceFields(tracing)));
  // One that a library leaves unhandled must not end all calls.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'an error was left unhandled'));
  // From the beginning on, so that a Ctrl-C while it starts leaves no database running behind it.
  const app = createAppRunner(config, log, tracing);
  running = app;
  const starting = start(app, log, config.public_url);
  let stopping_since_ms: number | undefined;
  const stop = () => {
    if (stopping_since_ms !== undefined) {
      // Supervisors and shells often signal a whole process group, and parents forward the signal, so that it arrives repeatedly.
      if (performance.now() - stopping_since_ms > same_signal_ms) process.exit(1);
      return;
    }
    stopping_since_ms = performance.now();
    log.info('Shutting down: finishing requests in flight; a second signal exits at once');
    setTimeout(() => process.exit(1), stop_ms).unref();
    starting
      .catch(() => undefined)
      .then(() => app.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
  await starting;
}

async function start(app: AppRunner, log: Log, public_url: string): Promise<void> {
  const port = await app.start(releaseStartMemory);
  log.info({ port, ready_ms: Math.round(performance.now() - started_ms) }, `Asterism is ready at ${public_url}/app`);
}

main().catch(async (error: unknown) => {
  process.stderr.write(`Asterism cannot start. ${explainFailure(error)}\n`);
  await running?.close().catch(() => undefined);
  process.exit(1);
});
