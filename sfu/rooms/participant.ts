import { randomBytes } from 'node:crypto';
import {
  ParticipantInfo,
  ParticipantInfo_Kind,
  ParticipantInfo_State,
  ParticipantPermission,
  SignalResponse,
  StreamStateUpdate,
  TrackInfo,
  type TrackSource,
  TrackType,
  VideoLayer,
  type AddTrackRequest,
} from '@livekit/protocol';
import { DataAllowance } from '../forwarding/data-budget.ts';
import { createRateGate, LIMITS } from '../limits.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import { Publisher, type RecordLevel } from '../forwarding/publisher.ts';
import type { ConnectionState, MediaConnection, RtpEngine } from '../forwarding/rtp-engine.ts';
import { SenderBudget } from '../forwarding/receive-budget.ts';
import { SpeakerMeter } from './speakers.ts';
import { Subscriber, type RoomBudgets } from '../forwarding/subscriber.ts';
import type { ThrottledLog } from '../throttled-log.ts';
import type { Grants } from '../token.ts';

/** The sending side of a signal socket. */
export type SignalChannel = { send(bytes: Uint8Array): void; close(): void };

/** What a participant asks of the room and reports to it. */
export type ParticipantEvents = {
  onActive(participant: Participant): void;
  /** Whether a packet of such an audio level is forwarded. */
  isHeard(track: PublishedTrack, level_db: number, now_ms: number): boolean;
  onData(participant: Participant, data: Buffer, reliable: boolean): void;
  /** The number of others who may receive what a participant sends. */
  countReceivers(): number;
  /** An error for the operator; may be called at any rate. */
  report: ThrottledLog;
};

/** The participant kinds that a token may name; SIP and ingress do not exist here. */
const KINDS: Record<string, ParticipantInfo_Kind> = {
  egress: ParticipantInfo_Kind.EGRESS,
  agent: ParticipantInfo_Kind.AGENT,
};

/** Creates an id like LiveKit's: a prefix and twelve letters or digits. */
export const createSid = (prefix: string): string =>
  prefix + randomBytes(16).toString('base64url').replaceAll(/[-_]/g, '').padEnd(12, '0').slice(0, 12);

/** Whether a client's track announcement is within limits, since it is kept and sent to everybody. */
const isTrackWithinLimits = ({ cid, stream, layers, audioFeatures }: AddTrackRequest): boolean =>
  cid.length <= LIMITS.track_cid_characters &&
  stream.length <= LIMITS.name_characters &&
  layers.length <= LIMITS.track_layers &&
  audioFeatures.length <= LIMITS.track_audio_features;

/** Copies a layer without unknown fields. */
const copyLayer = ({ quality, width, height, bitrate, ssrc }: VideoLayer): VideoLayer =>
  new VideoLayer({ quality, width, height, bitrate, ssrc });

/**
 * One person in a room: identity, permissions, the signal socket (which may be replaced) and both media connections.
 */
export class Participant {
  readonly sid = createSid('PA_');
  readonly identity: string;
  readonly joined_at_ms = Date.now();
  readonly publisher: Publisher;
  readonly subscriber: Subscriber;
  readonly publisher_connection: MediaConnection;
  readonly subscriber_connection: MediaConnection;
  readonly meter = new SpeakerMeter();
  readonly received = new SenderBudget();
  /** Updates of this participant that are sent to the room at once. */
  readonly updates = createRateGate(LIMITS.updates_per_second, LIMITS.updates_burst);
  readonly track_changes = createRateGate(LIMITS.track_changes_per_second, LIMITS.track_changes_burst);
  readonly permission: ParticipantPermission;
  readonly auto_subscribe: boolean;
  readonly kind: ParticipantInfo_Kind;
  readonly started_at_ms = performance.now();
  state = ParticipantInfo_State.JOINING;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  signal: SignalChannel | undefined;
  /** When the socket was lost, in ms of `performance.now()`; undefined while there is one. */
  detached_at_ms: number | undefined;
  closed = false;
  version = 0;
  readonly report: ThrottledLog;

  constructor(
    grants: Grants,
    auto_subscribe: boolean,
    { engine, ...budgets }: RoomBudgets & { engine: RtpEngine },
    events: ParticipantEvents,
  ) {
    this.report = events.report;
    const allowance = new DataAllowance(budgets.data_budget);
    const shared = {
      onData: (label: string, data: Buffer) => this.#receiveData(label, data, events),
      onError: (error: unknown) => events.report('reading a packet failed', { error: String(error) }),
      admitData: (chunks: number, bytes: number) => {
        const admitted = allowance.take(chunks, bytes, events.countReceivers(), performance.now());
        if (!admitted) events.report("data messages exceed the sender's budget");
        return admitted;
      },
      received: this.received,
    };
    this.identity = grants.identity;
    this.name = grants.name;
    this.metadata = grants.metadata;
    this.attributes = grants.attributes;
    this.auto_subscribe = auto_subscribe;
    this.kind = KINDS[grants.kind] ?? ParticipantInfo_Kind.STANDARD;
    this.permission = new ParticipantPermission({
      canPublish: grants.can_publish,
      canSubscribe: grants.can_subscribe,
      canPublishData: grants.can_publish_data,
      canPublishSources: grants.can_publish_sources,
      canUpdateMetadata: grants.can_update_own_metadata,
      hidden: grants.hidden,
      recorder: grants.recorder,
    });
    this.publisher_connection = engine.createConnection({
      onState: () => undefined,
      mayAdmitRtp: (ssrc, bytes) => this.publisher.mayAdmitRtp(ssrc, bytes),
      admitRtp: (ssrc, bytes) => this.publisher.admitRtp(ssrc, bytes),
      onRtp: (packet) => this.publisher.receiveRtp(packet),
      onFeedback: (feedback) => this.publisher.receiveFeedback(feedback),
      ...shared,
    });
    this.subscriber_connection = engine.createConnection({
      onState: (state) => this.#noteSubscriberState(state, events),
      mayAdmitRtp: () => false,
      admitRtp: () => false,
      onRtp: () => undefined,
      onFeedback: (feedback) => {
        if (feedback.type === 'nack') this.publisher.traffic.missed_out += feedback.sequences.length;
        this.subscriber.receiveFeedback(feedback);
      },
      ...shared,
    });
    const recordLevel: RecordLevel = (track, level_db, now_ms) => {
      this.meter.add(level_db);
      return events.isHeard(track, level_db, now_ms);
    };
    this.publisher = new Publisher(this.publisher_connection, recordLevel, budgets.packets, this.received);
    this.subscriber = new Subscriber(this.subscriber_connection, budgets, {
      sendOffer: (offer) => this.send({ case: 'offer', value: offer }),
      sendStreamStates: (states) =>
        this.send({ case: 'streamStateUpdate', value: new StreamStateUpdate({ streamStates: states }) }),
    });
  }

  #noteSubscriberState(state: ConnectionState, events: ParticipantEvents): void {
    if (state !== 'connected' || this.state === ParticipantInfo_State.ACTIVE || this.closed) return;
    this.state = ParticipantInfo_State.ACTIVE;
    events.onActive(this);
  }

  #receiveData(label: string, data: Buffer, events: ParticipantEvents): void {
    if (this.closed || !this.permission.canPublishData || (label !== '_reliable' && label !== '_lossy')) return;
    if (data.length <= LIMITS.data_packet_bytes) events.onData(this, data, label === '_reliable');
  }

  /** Sends a signal message; without a socket it is lost, and a resume sends the whole state again. */
  send(message: SignalResponse['message']): void {
    this.signal?.send(new SignalResponse({ message }).toBinary());
  }

  /** Sends a signal message that is serialised already, since many participants receive the same one. */
  sendBytes(bytes: Uint8Array): void {
    this.signal?.send(bytes);
  }

  info(): ParticipantInfo {
    const tracks = [...this.publisher.tracks.values()].filter((track) => track.mid !== undefined).map((t) => t.info);
    return new ParticipantInfo({
      sid: this.sid,
      identity: this.identity,
      name: this.name,
      metadata: this.metadata,
      attributes: this.attributes,
      state: this.state,
      tracks,
      joinedAt: BigInt(Math.floor(this.joined_at_ms / 1000)),
      joinedAtMs: BigInt(this.joined_at_ms),
      version: this.version,
      permission: this.permission,
      isPublisher: tracks.length > 0,
      kind: this.kind,
    });
  }

  /** Whether the participant only serves others, such as a recorder, and does not keep a room alive. */
  isDependent(): boolean {
    return this.kind === ParticipantInfo_Kind.EGRESS || this.kind === ParticipantInfo_Kind.AGENT;
  }

  /** Whether the permissions allow a track of a source. */
  mayPublish(source: TrackSource): boolean {
    const { canPublish, canPublishSources } = this.permission;
    return canPublish && (canPublishSources.length === 0 || canPublishSources.includes(source));
  }

  /** Registers an announced track, or returns the one that was announced before under the same cid. */
  announceTrack(request: AddTrackRequest): PublishedTrack | undefined {
    for (const track of this.publisher.tracks.values()) if (track.cid === request.cid) return track;
    if (this.publisher.tracks.size >= LIMITS.tracks_per_participant || !isTrackWithinLimits(request)) return undefined;
    const kind = request.type === TrackType.AUDIO ? 'audio' : 'video';
    const mimeType = kind === 'audio' ? 'audio/opus' : 'video/VP8';
    const layers = request.layers.map(copyLayer);
    const info = new TrackInfo({
      sid: createSid('TR_'),
      type: request.type,
      name: request.name.slice(0, LIMITS.name_characters),
      muted: request.muted,
      width: request.width,
      height: request.height,
      source: request.source,
      simulcast: layers.length > 1,
      layers,
      mimeType,
      disableDtx: request.disableDtx,
      stereo: request.stereo,
      disableRed: request.disableRed,
      encryption: request.encryption,
      stream: request.stream,
      audioFeatures: request.audioFeatures,
      codecs: [{ mimeType, cid: request.cid, layers }],
    });
    return this.publisher.addTrack(request, info, kind);
  }

  /** Whether nothing was received on either media connection for `silence_ms`. */
  isMediaSilent(now_ms: number, silence_ms: number): boolean {
    const seen = Math.max(this.publisher_connection.lastSeenAt(), this.subscriber_connection.lastSeenAt());
    return now_ms - seen > silence_ms;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.state = ParticipantInfo_State.DISCONNECTED;
    this.subscriber.close();
    await Promise.allSettled([this.publisher_connection.close(), this.subscriber_connection.close()]);
  }
}
