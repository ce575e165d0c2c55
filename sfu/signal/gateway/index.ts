/** Runs the gateway to a LiveKit server in a worker thread, and restarts it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LIMITS } from '../../limits.ts';
import type { FromGateway, GatewaySettings } from './gateway.worker.ts';
import type { Gateway, GatewayOptions } from './signal-gateway.ts';

/** Starts the gateway; a failed one is restarted on the same port. @throws the listen error of node:net */
export async function startGateway({ log, ...settings }: GatewayOptions): Promise<Gateway> {
  let closing = false;
  let restart: NodeJS.Timeout | undefined;
  let worker: Worker;

  function launch(own: GatewaySettings): Worker {
    const started = new Worker(new URL('./gateway.worker.ts', import.meta.url), { workerData: own });
    started.on('message', (message: FromGateway) => {
      if (message.type === 'log') log(message.level, message.message, message.details);
    });
    started.on('error', (error) => log('error', 'the gateway failed', { error: String(error) }));
    return started;
  }

  function keepRunning(own: GatewaySettings): void {
    worker.once('exit', () => {
      if (closing) return;
      restart = setTimeout(() => {
        worker = launch(own);
        keepRunning(own);
      }, LIMITS.gateway_restart_ms);
    });
  }

  worker = launch(settings);
  const [ready] = (await once(worker, 'message')) as [FromGateway];
  const port = ready.type === 'ready' ? ready.port : settings.port;
  keepRunning({ ...settings, port });
  return {
    port,
    async close() {
      closing = true;
      clearTimeout(restart);
      const ended = once(worker, 'exit');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('close');
      await ended;
    },
  };
}
