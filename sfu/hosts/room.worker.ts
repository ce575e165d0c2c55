/** A worker thread that hosts rooms; `worker-channel.ts` is the main side. */
import { EventEmitter } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { RoomHost } from '../signal/room-host.ts';
import { createHost } from './host.ts';
import type { SignalSocket } from '../signal/signal-socket.ts';
import { LIMITS } from '../limits.ts';
import { TwirpError } from '../signal/room-service.ts';
import type { FromWorker, WorkerSettings, ToWorker } from './worker-channel.ts';
import type { IceServerEntry } from '../signal/turn.ts';

if (!parentPort) throw new Error('room.worker.ts runs as a worker of worker-channel.ts only');
const parent = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const post = (message: FromWorker) => parent.postMessage(message);

/** Represents a socket of the main thread. */
class RemoteSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly CLOSED = 3;
  /** Buffered bytes are counted, and limited, in the main thread. */
  readonly bufferedAmount = 0;
  readyState = 1;
  readonly #id: number;

  constructor(id: number) {
    super();
    this.#id = id;
  }

  send(data: Uint8Array): void {
    if (this.readyState === this.OPEN) post({ type: 'send', socket: this.#id, data });
  }

  close(): void {
    post({ type: 'end', socket: this.#id, how: 'close' });
  }

  terminate(): void {
    post({ type: 'end', socket: this.#id, how: 'terminate' });
  }

  markClosed(): void {
    this.readyState = this.CLOSED;
    this.emit('close');
  }
}

const sockets = new Map<number, RemoteSocket>();
/** The last use number of each room. */
const uses = new Map<string, number>();
const ice_servers = new Map<string, IceServerEntry[]>();

/** Reports that a room which was addressed does not exist. */
function reportIfAbsent(host: RoomHost, room: string): void {
  const use = uses.get(room);
  if (use === undefined || host.hasRoom(room)) return;
  uses.delete(room);
  post({ type: 'ended', room, use });
}

function open(host: RoomHost, message: Extract<ToWorker, { type: 'open' }>): void {
  const { socket: id, query, grants } = message;
  uses.set(grants.room, message.use);
  ice_servers.set(grants.identity, message.ice_servers);
  const socket = new RemoteSocket(id);
  sockets.set(id, socket);
  host
    .serve(socket as unknown as SignalSocket, new URLSearchParams(query), grants)
    .catch((error: unknown) => {
      const details = { room: grants.room, error: String(error) };
      post({ type: 'log', level: 'error', message: 'join failed', details });
      socket.terminate();
    })
    .finally(() => {
      ice_servers.delete(grants.identity);
      reportIfAbsent(host, grants.room);
    });
}

async function call(host: RoomHost, { id, call: asked, makes }: Extract<ToWorker, { type: 'call' }>): Promise<void> {
  if (makes) uses.set(makes.room, makes.use);
  try {
    post({ type: 'reply', id, reply: await host.call({ ...asked, body: Buffer.from(asked.body) }) });
  } catch (error) {
    const known = error instanceof TwirpError ? error : new TwirpError('internal', 'internal error');
    post({ type: 'refusal', id, code: known.code, message: known.message });
  }
  if (makes) reportIfAbsent(host, makes.room);
}

// An unhandled rejection inside a library must not end all calls.
process.on('unhandledRejection', (error) =>
  post({ type: 'log', level: 'error', message: 'unhandled rejection', details: { error: String(error) } }),
);

const settings = workerData as WorkerSettings;
const host = await createHost({
  ...settings,
  iceServersFor: (identity) => ice_servers.get(identity) ?? [],
  onWebhook: (room, event) => post({ type: 'webhook', room, event: event.toBinary() }),
  onRoomEnded: (room) => reportIfAbsent(host, room),
  log: (level, message, details) => post({ type: 'log', level, message, details }),
});
const clock = setInterval(() => post({ type: 'stats', stats: host.stats() }), LIMITS.stats_interval_ms);

parent.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'open':
      return open(host, message);
    case 'frame':
      return void sockets.get(message.socket)?.emit('message', Buffer.from(message.data), message.binary);
    case 'closed':
      sockets.get(message.socket)?.markClosed();
      return void sockets.delete(message.socket);
    case 'call':
      return void call(host, message);
    case 'close':
      clearInterval(clock);
      return void host.close().finally(() => parent.close());
    default:
      return;
  }
});
post({ type: 'ready' });
