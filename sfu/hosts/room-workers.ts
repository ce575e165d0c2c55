/** Distributes rooms over worker threads; the main thread relays signals and calls. */
import { ListRoomsResponse } from '@livekit/protocol';
import type { RoomHost } from '../signal/room-host.ts';
import type { HostOptions } from './host.ts';
import { findRoom, type TwirpReply } from '../signal/room-service.ts';
import { addTraffic, createTraffic } from '../forwarding/traffic.ts';
import { RoomWorker } from './worker-channel.ts';

/** Merges the answers of all workers to a call about all rooms. */
function mergeRooms(replies: TwirpReply[]): TwirpReply {
  const [{ content_type } = { content_type: '' }] = replies;
  const rooms = replies.flatMap(({ body }) =>
    typeof body === 'string' ? ListRoomsResponse.fromJsonString(body).rooms : ListRoomsResponse.fromBinary(body).rooms,
  );
  const all = new ListRoomsResponse({ rooms });
  return { content_type, body: content_type === 'application/json' ? all.toJsonString() : all.toBinary() };
}

/** A worker, and the last time that a room on it was addressed. */
type Place = { worker: RoomWorker; use: number };

/** Assigns rooms to workers: each to the one with the fewest people, where it stays until it ends. */
class RoomAssignments {
  readonly #workers: RoomWorker[];
  readonly #places = new Map<string, Place>();
  #uses = 0;

  constructor(workers: RoomWorker[]) {
    this.#workers = workers;
    for (const worker of workers) {
      worker.onLost = () => {
        for (const [room, place] of this.#places) if (place.worker === worker) this.#places.delete(room);
      };
      worker.onEnded = (room, use) => {
        // A room that was addressed again meanwhile may be about to restart.
        if (this.#places.get(room)?.use === use) this.#places.delete(room);
      };
    }
  }

  /** The worker of a room; undefined when it is on none. */
  workerOf(room: string): RoomWorker | undefined {
    return this.#places.get(room)?.worker;
  }

  /** The place of a room that is addressed now: a new one if it has none. */
  address(room: string): Place {
    let place = this.#places.get(room);
    if (!place) {
      const worker = this.#workers.reduce((min, each) => (this.#loadOf(each) < this.#loadOf(min) ? each : min));
      place = { worker, use: 0 };
      this.#places.set(room, place);
    }
    place.use = ++this.#uses;
    return { ...place };
  }

  /** Participants and rooms of a worker: a room that was just assigned has no participants yet. */
  #loadOf(worker: RoomWorker): number {
    if (!worker.isUp()) return Infinity;
    const rooms = [...this.#places.values()].filter((place) => place.worker === worker).length;
    return worker.stats.participants + rooms;
  }
}

/** Starts workers, each with ports of its own. @throws the error of node:dgram or node:net when one is in use */
async function startWorkers(count: number, options: HostOptions): Promise<RoomWorker[]> {
  const { settings, media, api_key, api_secret } = options;
  const next = (port: number, index: number) => (port === 0 ? 0 : port + index);
  const workers = Array.from({ length: count }, (_, index) => {
    const ports = {
      ...media,
      udp_port: next(media.udp_port, index),
      tcp_port: media.tcp_port === undefined ? undefined : next(media.tcp_port, index),
    };
    return new RoomWorker({ settings, media: ports, api_key, api_secret }, options);
  });
  try {
    await Promise.all(workers.map((worker) => worker.ready()));
  } catch (error) {
    await Promise.allSettled(workers.map((worker) => worker.abandon()));
    throw error;
  }
  return workers;
}

/**
 * Starts workers, and distributes rooms over them.
 * @throws the error of node:dgram or node:net when a media port is in use
 */
export async function createRoomWorkers(count: number, options: HostOptions): Promise<RoomHost> {
  const workers = await startWorkers(count, options);
  const assignments = new RoomAssignments(workers);
  return {
    async serve(socket, query, grants) {
      const { worker, use } = assignments.address(grants.room);
      worker.serve(socket, query, grants, use);
    },
    hasRoom: (name) => assignments.workerOf(name) !== undefined,
    async call(call) {
      const room = findRoom(call);
      if (room === undefined) return mergeRooms(await Promise.all(workers.map((worker) => worker.call(call))));
      // Only creating a room assigns it; for an unassigned one any worker answers that it does not exist.
      if (call.method !== 'CreateRoom') return (assignments.workerOf(room) ?? (workers[0] as RoomWorker)).call(call);
      const { worker, use } = assignments.address(room);
      return worker.call(call, { room, use });
    },
    stats() {
      const sum = { rooms: 0, participants: 0, ...createTraffic() };
      for (const { stats } of workers) {
        addTraffic(sum, stats);
      }
      return sum;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
