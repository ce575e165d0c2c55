import { DisconnectReason, LeaveRequest_Action, type WebhookEvent } from '@livekit/protocol';
import { DataBudget } from '../forwarding/data-budget.ts';
import { LIMITS } from '../limits.ts';
import { Participant } from './participant.ts';
import { Room, type RoomSettings } from './room.ts';
import type { RtpEngine } from '../forwarding/rtp-engine.ts';
import { createThrottledLog } from '../throttled-log.ts';
import type { Grants } from '../token.ts';
import { sharePackets } from '../forwarding/packet-budget.ts';
import { divideReceived } from '../forwarding/receive-budget.ts';
import { addTraffic, createTraffic, type Traffic } from '../forwarding/traffic.ts';

/** Counters: current numbers, and totals since the start. */
export type MediaStats = Traffic & { rooms: number; participants: number };

/** What all rooms share. */
export type RegistryOptions = {
  settings: RoomSettings;
  /** Called at the first join, so that an idle server does not load the engine. */
  loadEngine(): Promise<RtpEngine>;
  onWebhook(room: string, event: WebhookEvent): void;
  /** A room has ended. */
  onRoomEnded?(name: string): void;
  log(level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>): void;
};

/** All rooms of the server, and their timer. */
export class Registry {
  readonly rooms = new Map<string, Room>();
  readonly #options: RegistryOptions;
  #engine: Promise<RtpEngine> | undefined;
  #clock: NodeJS.Timeout | undefined;
  readonly #data_budget = new DataBudget();
  #counted_at_ms = 0;
  /** The packets that each room may forward. */
  #packets_per_second: number = LIMITS.forwarded_packets_per_second;
  readonly #past: Traffic = createTraffic();
  /** When identities were removed, in seconds since 1970, by room. */
  readonly #removed_at_s = new Map<string, Map<string, number>>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** The room of a name, created if necessary; undefined when the server is full. */
  openRoom(name: string, settings: Partial<RoomSettings> = {}): Room | undefined {
    const known = this.rooms.get(name);
    if (known) return known;
    if (this.rooms.size >= LIMITS.rooms) return undefined;
    const room = new Room(
      name,
      { ...this.#options.settings, ...settings },
      {
        onWebhook: (source, event) => this.#options.onWebhook(source.name, event),
        onFinished: (finished) => this.#forget(finished),
      },
    );
    this.rooms.set(name, room);
    this.#clock ??= setInterval(() => this.#tick(), 30);
    return room;
  }

  /** Revokes every token issued so far to an identity for a room, as long as the room exists. */
  bar(room: string, identity: string): void {
    if (!this.rooms.has(room)) return;
    const removed = this.#removed_at_s.get(room) ?? new Map<string, number>();
    this.#removed_at_s.set(room, removed);
    removed.delete(identity);
    removed.set(identity, Date.now() / 1000);
    for (const oldest of removed.keys()) if (removed.size > LIMITS.barred_per_room) removed.delete(oldest);
  }

  /** Whether a token was issued before its identity was removed from the room. */
  isBarred({ room, identity, issued_at_s }: Pick<Grants, 'room' | 'identity' | 'issued_at_s'>): boolean {
    const removed_at_s = this.#removed_at_s.get(room)?.get(identity);
    // A whole second may mean any time within it.
    return removed_at_s !== undefined && issued_at_s <= removed_at_s;
  }

  #tick(): void {
    const now_ms = performance.now();
    const senders = [...this.rooms.values()].map(({ participants }) => [...participants.values()]);
    divideReceived(
      senders.map((ones) => ones.map(({ received }) => received)),
      now_ms,
    );
    for (const room of this.rooms.values()) room.tick(now_ms, this.#packets_per_second);
    if (now_ms - this.#counted_at_ms < LIMITS.data_count_interval_ms) return;
    this.#counted_at_ms = now_ms;
    this.#packets_per_second = sharePackets([...this.rooms.values()].map(({ packets }) => packets.wanted_per_second));
    let buffered_bytes = 0;
    for (const { participants } of this.rooms.values())
      for (const { subscriber } of participants.values()) buffered_bytes += subscriber.bufferedDataBytes();
    this.#data_budget.setBuffered(buffered_bytes);
  }

  #forget(room: Room): void {
    this.rooms.delete(room.name);
    this.#removed_at_s.delete(room.name);
    addTraffic(this.#past, room.past);
    this.#options.onRoomEnded?.(room.name);
    if (this.rooms.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  /**
   * Adds a new participant to its room, and replaces an older one of the same identity.
   * @returns undefined when the room or the server is full, or the identity was removed after the token was issued
   */
  async join(grants: Grants, auto_subscribe: boolean): Promise<{ room: Room; participant: Participant } | undefined> {
    const engine = await this.#loadEngine();
    if (this.isBarred(grants)) return undefined;
    const room = this.openRoom(grants.room);
    if (!room) return undefined;
    const older = room.participants.get(grants.identity);
    const max = room.settings.max_participants || LIMITS.participants_per_room;
    if (!older && room.participants.size >= Math.min(max, LIMITS.participants_per_room)) return undefined;
    if (older) room.remove(older, DisconnectReason.DUPLICATE_IDENTITY);
    const parts = { engine, data_budget: this.#data_budget, packets: room.packets };
    const participant: Participant = new Participant(grants, auto_subscribe, parts, {
      countReceivers: () => room.participants.size - 1,
      report: createThrottledLog((message, details) =>
        this.#options.log('warn', message, { room: room.name, identity: grants.identity, ...details }),
      ),
      onActive: (entry) => room.activate(entry),
      isHeard: (track, level_db, now_ms) => room.voices.update(track, level_db, now_ms),
      onData: (entry, data, reliable) => room.passData(entry, data, reliable),
    });
    room.add(participant);
    return { room, participant };
  }

  /** If loading failed it is retried at the next join. */
  #loadEngine(): Promise<RtpEngine> {
    this.#engine ??= this.#options.loadEngine().catch((error: unknown) => {
      this.#engine = undefined;
      throw error;
    });
    return this.#engine;
  }

  stats(): MediaStats {
    let participants = 0;
    const traffic = { ...this.#past };
    for (const room of this.rooms.values()) {
      participants += room.participants.size;
      addTraffic(traffic, room.past);
      for (const { publisher } of room.participants.values()) addTraffic(traffic, publisher.traffic);
    }
    return { rooms: this.rooms.size, participants, ...traffic };
  }

  /** Disconnects everybody; clients try to reconnect, to this server or its successor. */
  close(): void {
    for (const room of this.rooms.values())
      room.finish(DisconnectReason.SERVER_SHUTDOWN, LeaveRequest_Action.RECONNECT);
  }
}
