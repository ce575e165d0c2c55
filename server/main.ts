/** Starts the service: configuration, engines, app, listen; and closes in reverse. */
import { join } from 'node:path';
import { buildApp } from './app/app.ts';
import { ConfigError, printHelp, readOwnConfig } from './app/config.ts';
import { openEngines } from './app/engines.ts';
import { createLog } from './kernel/log.ts';
import { createClock } from './kernel/time.ts';

const started_ms = performance.now();
const root = join(import.meta.dirname, '..');
/** After this long a stop no longer waits for what is under way. */
const drain_ms = 10_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(printHelp());
    return;
  }
  const config = readOwnConfig(root);
  const log = createLog(config.log_level);
  const clock = createClock();
  const engines = await openEngines(config, clock, (line) => log.info(line));
  const app = await buildApp({ config, engines, clock, log });
  const port = await app.listen();
  log.info(
    { port, ready_ms: Math.round(performance.now() - started_ms) },
    `Asterism is ready at ${config.public_url}/app`,
  );
  const stop = () => {
    setTimeout(() => process.exit(1), drain_ms).unref();
    const close = async () => {
      await app.close();
      for (const engine of [engines.media, engines.mail, engines.sms, engines.blobs, engines.bus, engines.database])
        await engine.close();
    };
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  const { code, message } = error as { code?: string; message: string };
  const sentence =
    code === 'EADDRINUSE'
      ? 'The port is taken: stop what listens there, or set PORT (and MEDIA_PORT) to free ones.'
      : message;
  process.stderr.write(`Asterism cannot start. ${sentence}\n`);
  if (!(error instanceof ConfigError) && code !== 'EADDRINUSE') process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
});
