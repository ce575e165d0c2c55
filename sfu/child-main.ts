/** The main program of the media server's child process; `child-process.ts` is its parent side. */
import type { Server, Socket } from 'node:net';
import type { FromChild, ToChild } from './child-process.ts';
import { startSfu, type Sfu } from './index.ts';
import { LIMITS } from './limits.ts';
import { createIceServers } from './signal/turn.ts';

const post = (message: FromChild) => void process.send?.(message, undefined, undefined, () => undefined);

// Terminals and supervisors signal the whole process group; the parent decides when this process stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without its parent the process exits at once, so that the next service finds the ports free.
process.on('disconnect', () => process.exit(0));
// An unhandled rejection inside a library must not end all calls.
process.on('unhandledRejection', (error) =>
  post({ type: 'log', line: { level: 'error', message: 'unhandled rejection', error: String(error) } }),
);

let sfu: Sfu | undefined;

async function start({ options }: Extract<ToChild, { type: 'start' }>, listener: Server): Promise<void> {
  const { ice, ...others } = options;
  try {
    sfu = await startSfu({
      ...others,
      listener,
      iceServersFor: createIceServers(ice.urls, ice.secret),
      log: (line) => post({ type: 'log', line }),
    });
  } catch (error) {
    const { message, code, port } = error as Error & { code?: string; port?: number };
    process.send?.({ type: 'failed', message, code, port } satisfies FromChild, () => process.exit(1));
    return;
  }
  const { stats } = sfu;
  post({ type: 'ready' });
  setInterval(() => post({ type: 'stats', stats: stats() }), LIMITS.stats_interval_ms);
}

process.on('message', (message: ToChild, handle: Server | Socket | undefined) => {
  switch (message.type) {
    case 'start':
      return void start(message, handle as Server);
    case 'connection':
      // A connection that closed in transit arrives without a handle.
      return handle && sfu?.serve(handle as Socket);
    case 'close':
      return void Promise.resolve(sfu?.close()).finally(() => process.exit(0));
    default:
      return;
  }
});
