/**
 * Runs one service after the other on request of its parent, as `main.ts` runs one: each begins with nothing of the one
 * before but the loaded code, since state belongs to an app.
 */
import { join } from 'node:path';
import type { AppRunner } from '../../app/app-runner.ts';

/** The environment of a service to start; null to close the one that runs. */
export type ToHost = { environment: NodeJS.ProcessEnv | null };
/** Sent once that is done; with the error when it failed. */
export type FromHost = { error?: string };

const root = join(import.meta.dirname, '..', '..', '..');
let app: AppRunner | undefined;

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  // With the environment of a service, as when its program is loaded.
  const [{ createAppRunner }, { readOwnConfig }, { openTracing }, { createLog }] = await Promise.all([
    import('../../app/app-runner.ts'),
    import('../../app/config/config.ts'),
    import('../../app/engines.ts'),
    import('../../kernel/observability/log.ts'),
  ]);
  const config = readOwnConfig(root);
  app = createAppRunner(config, createLog(config.log_level), await openTracing(config));
  await app.start();
}

async function answer(message: ToHost): Promise<FromHost> {
  try {
    if (message.environment) await start(message.environment);
    else await app?.close();
    return {};
  } catch (error) {
    await app?.close().catch(() => undefined);
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on('message', (message: ToHost) => void answer(message).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
