/** The worker thread of the gateway: client signalling is not delayed by the service's event loop. */
import { parentPort, workerData } from 'node:worker_threads';
import { startSignalGateway, type GatewayOptions } from './signal-gateway.ts';

/** The options that can be sent to a thread: no functions. */
export type GatewaySettings = Omit<GatewayOptions, 'log'>;

/** A message of the thread. */
export type FromGateway =
  | { type: 'ready'; port: number }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; details: Record<string, unknown> };

if (!parentPort) throw new Error('gateway.worker.ts runs as a thread of gateway/index.ts only');
const parent = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (message: FromGateway) => parent.postMessage(message);

const gateway = await startSignalGateway({
  ...(workerData as GatewaySettings),
  log: (level, message, details) => post({ type: 'log', level, message, details }),
});
// The only message is the request to stop.
parent.once('message', () => void gateway.close().finally(() => parent.close()));
post({ type: 'ready', port: gateway.port });
