/** Room hosts: rooms in this thread, or spread over several. */
import { serveSocket, type ConnectOptions } from '../signal/connect.ts';
import { LIMITS } from '../limits.ts';
import { Registry, type RegistryOptions } from '../rooms/registry.ts';
import { callRoomService } from '../signal/room-service.ts';
import { createThrottledLog } from '../throttled-log.ts';
import type { RoomHost } from '../signal/room-host.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { MediaPort, type MediaPortOptions } from '../transport/media-port.ts';

/** What rooms in one thread share; `onRoomEnded` is called with the name of each that has ended. */
export type HostOptions = Pick<RegistryOptions, 'settings' | 'onWebhook' | 'log'> &
  Omit<ConnectOptions, 'registry'> & { media: MediaPortOptions; onRoomEnded?: (name: string) => void };

/** Hosts rooms in this thread. @throws the error of node:dgram or node:net when a media port is in use */
export async function createHost(options: HostOptions): Promise<RoomHost> {
  const report = createThrottledLog((message, details) => options.log('error', message, details));
  const port = await MediaPort.open(options.media, (error) =>
    report('accepting a media connection failed', { error: String(error) }),
  );
  const registry = new Registry({
    ...options,
    // The engine takes tens of megabytes, which an unused server saves.
    loadEngine: async () => (await import('../transport/connection.ts')).loadEngine(port),
  });
  const connect: ConnectOptions = { ...options, registry };
  return {
    serve: (socket, query, grants) => serveSocket(socket, query, grants, connect),
    call: async (call) => callRoomService(connect, call),
    hasRoom: (name) => registry.rooms.has(name),
    stats: () => registry.stats(),
    async close() {
      registry.close();
      // Messages to the peers are sent before closing.
      await wait(LIMITS.final_message_ms);
      await port.close();
    },
  };
}
