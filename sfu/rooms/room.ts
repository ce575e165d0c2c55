import {
  DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MuteTrackRequest,
  ParticipantInfo_State,
  Room as RoomInfo,
  RoomUpdate,
  SignalResponse,
  SpeakersChanged,
  SubscriptionPermissionUpdate,
  TrackPublishedResponse,
  TrackSubscribed,
  WebhookEvent,
  type ParticipantInfo,
} from '@livekit/protocol';
import { routeData, type RoutedData } from './data-channel.ts';
import { ParticipantUpdates, updateOf } from './participant-updates.ts';
import { allocateLayers } from './allocate-layers.ts';
import { LIMITS } from '../limits.ts';
import { TopSpeakers } from './top-speakers.ts';
import { createSid, type Participant } from './participant.ts';
import { PacketBudget } from '../forwarding/packet-budget.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import { addTraffic, createTraffic, type Traffic } from '../forwarding/traffic.ts';
import { ConnectionQualities } from './connection-quality.ts';
import { EmptyTimeout, type EmptyTimeouts } from './empty-timeout.ts';
import { Speakers } from './speakers.ts';

/** The properties of a room, as the room service sets them; `max_participants` is only reported to clients. */
export type RoomSettings = EmptyTimeouts & { max_participants: number; metadata: string };

/** What a room reports. */
export type RoomEvents = {
  onWebhook(room: Room, event: WebhookEvent): void;
  onFinished(room: Room): void;
};

/** One room: its participants, subscriptions, and lifetime. */
export class Room {
  readonly name: string;
  readonly sid = createSid('RM_');
  readonly created_at_ms = Date.now();
  readonly settings: RoomSettings;
  readonly participants = new Map<string, Participant>();
  readonly #events: RoomEvents;
  readonly #speakers = new Speakers();
  readonly #lines = new ConnectionQualities();
  readonly #updates = new ParticipantUpdates();
  #speakers_at_ms = 0;
  #allocated_at_ms = 0;
  readonly voices = new TopSpeakers<PublishedTrack>();
  readonly packets = new PacketBudget();
  readonly #timeout: EmptyTimeout;
  #finished = false;
  #recorded = false;
  /** The traffic of participants who have left. */
  readonly past: Traffic = createTraffic();

  constructor(name: string, settings: RoomSettings, events: RoomEvents) {
    this.name = name;
    this.settings = settings;
    this.#events = events;
    this.#timeout = new EmptyTimeout(settings);
    this.#webhook('room_started');
  }

  info(): RoomInfo {
    const visible = [...this.participants.values()].filter((entry) => !entry.permission.hidden);
    return new RoomInfo({
      sid: this.sid,
      name: this.name,
      emptyTimeout: Math.ceil(this.settings.empty_timeout_s),
      departureTimeout: Math.ceil(this.settings.departure_timeout_s),
      maxParticipants: this.settings.max_participants,
      creationTime: BigInt(Math.floor(this.created_at_ms / 1000)),
      creationTimeMs: BigInt(this.created_at_ms),
      metadata: this.settings.metadata,
      activeRecording: this.#recorded,
      numParticipants: visible.length,
      numPublishers: visible.filter((entry) => entry.info().isPublisher).length,
      enabledCodecs: ['audio/opus', 'audio/red', 'video/VP8'].map((mime) => ({ mime })),
    });
  }

  #webhook(event: string, participant?: Participant, track?: PublishedTrack): void {
    this.#events.onWebhook(
      this,
      new WebhookEvent({
        event,
        id: createSid('EV_'),
        createdAt: BigInt(Math.floor(Date.now() / 1000)),
        room: this.info(),
        participant: participant?.info(),
        track: track?.info,
      }),
    );
  }

  /** The others whom a participant may see. */
  othersFor(participant: Participant): ParticipantInfo[] {
    return [...this.participants.values()]
      .filter((other) => other !== participant && !other.permission.hidden)
      .map((other) => other.info());
  }

  add(participant: Participant): void {
    this.participants.set(participant.identity, participant);
    if (!participant.isDependent()) this.#timeout.noteJoin();
    this.#noteRecording();
  }

  /** The participant's media connection is established: announce it, and subscribe it to all tracks. */
  activate(participant: Participant): void {
    this.broadcastInfo(participant);
    this.#webhook('participant_joined', participant);
    this.subscribeToAll(participant);
  }

  subscribeToAll(participant: Participant): void {
    if (!participant.auto_subscribe) return;
    for (const other of this.participants.values())
      for (const track of other.publisher.tracks.values())
        if (track.mid !== undefined) this.subscribe(participant, other, track);
  }

  subscribe(receiver: Participant, owner: Participant, track: PublishedTrack): void {
    if (receiver === owner || !receiver.permission.canSubscribe || owner.permission.hidden) return;
    if (!receiver.subscriber.subscribe(track, owner.sid, receiver.permission.recorder)) return;
    if (track.forwarders.size === 1)
      owner.send({ case: 'trackSubscribed', value: new TrackSubscribed({ trackSid: track.info.sid }) });
  }

  /** Increments the version and sends it to the room, now or soon (only to the participant itself when it is hidden). */
  broadcastInfo(participant: Participant): void {
    participant.version++;
    if (participant.permission.hidden) participant.send(updateOf([participant.info()]));
    else if (this.#updates.admits(participant, performance.now())) this.#broadcast(updateOf([participant.info()]));
  }

  trackStarted(owner: Participant, track: PublishedTrack): void {
    this.broadcastInfo(owner);
    this.#webhook('track_published', owner, track);
    for (const other of this.participants.values())
      if (other.auto_subscribe && other.state === ParticipantInfo_State.ACTIVE) this.subscribe(other, owner, track);
  }

  /** Unsubscribes everybody from a track. */
  endTrack(owner: Participant, track: PublishedTrack): void {
    owner.publisher.removeTrack(track);
    this.voices.forget(track);
    for (const other of this.participants.values()) other.subscriber.unsubscribe(track.info.sid);
    if (track.mid === undefined) return;
    if (!owner.closed) this.broadcastInfo(owner);
    this.#webhook('track_unpublished', owner, track);
  }

  setMuted(owner: Participant, track: PublishedTrack, muted: boolean, by_server: boolean): void {
    track.info.muted = muted;
    if (by_server) owner.send({ case: 'mute', value: new MuteTrackRequest({ sid: track.info.sid, muted }) });
    this.broadcastInfo(owner);
  }

  announce(owner: Participant, track: PublishedTrack): void {
    owner.send({ case: 'trackPublished', value: new TrackPublishedResponse({ cid: track.cid, track: track.info }) });
  }

  /** Applies permissions that were changed after the join. */
  applyPermission(participant: Participant): void {
    for (const track of participant.publisher.tracks.values())
      if (!participant.mayPublish(track.info.source)) this.endTrack(participant, track);
    if (participant.permission.canSubscribe) this.subscribeToAll(participant);
    else {
      for (const owner of this.participants.values())
        for (const sid of owner.publisher.tracks.keys()) {
          if (!participant.subscriber.has(sid)) continue;
          participant.subscriber.unsubscribe(sid);
          const value = new SubscriptionPermissionUpdate({ participantSid: owner.sid, trackSid: sid, allowed: false });
          participant.send({ case: 'subscriptionPermissionUpdate', value });
        }
    }
    this.broadcastInfo(participant);
  }

  /** Forwards a client's data packet to its recipients. */
  passData(sender: Participant, data: Buffer, reliable: boolean): void {
    let routed: RoutedData;
    try {
      routed = routeData(data, reliable, sender);
    } catch {
      return;
    }
    this.deliverData(routed, sender);
  }

  deliverData(routed: RoutedData, sender?: Participant): void {
    const everybody = routed.identities.length === 0 && routed.sids.length === 0;
    for (const other of this.participants.values()) {
      const is_meant = everybody || routed.identities.includes(other.identity) || routed.sids.includes(other.sid);
      if (other !== sender && is_meant && !other.subscriber.sendData(routed.bytes, routed.reliable))
        other.report('data messages dropped for a slow receiver');
    }
  }

  /**
   * Removes a participant. Its client is told why, and whether it may reconnect.
   * @param notify false when the client itself announced that it leaves
   */
  remove(
    participant: Participant,
    reason: DisconnectReason,
    action = LeaveRequest_Action.DISCONNECT,
    notify = true,
  ): void {
    if (participant.closed) return;
    if (notify)
      participant.send({
        case: 'leave',
        value: new LeaveRequest({ reason, action, canReconnect: action !== LeaveRequest_Action.DISCONNECT }),
      });
    const was_active = participant.state === ParticipantInfo_State.ACTIVE;
    addTraffic(this.past, participant.publisher.traffic);
    if (this.participants.get(participant.identity) === participant) this.participants.delete(participant.identity);
    participant.closed = true;
    this.#updates.forget(participant);
    participant.signal?.close();
    for (const track of participant.publisher.tracks.values()) this.endTrack(participant, track);
    void participant.close();
    participant.version++;
    const info = participant.info();
    info.disconnectReason = reason;
    if (!participant.permission.hidden) this.#broadcast(updateOf([info]));
    if (was_active) this.#webhook('participant_left', participant);
    // Participants that only serve others do not keep a room alive.
    const is_deserted = [...this.participants.values()].every((entry) => entry.isDependent());
    if (is_deserted) this.#timeout.noteEmpty();
    this.#noteRecording();
  }

  /** Announces to everybody when a recording starts and ends. */
  #noteRecording(): void {
    const recorded = [...this.participants.values()].some((entry) => entry.permission.recorder);
    if (recorded === this.#recorded) return;
    this.#recorded = recorded;
    this.#broadcast({ case: 'roomUpdate', value: new RoomUpdate({ room: this.info() }) });
  }

  #broadcast(message: SignalResponse['message']): void {
    // Serialised once: an update may hold 64 kB of metadata, and a room 200 participants.
    const bytes = new SignalResponse({ message }).toBinary();
    for (const participant of this.participants.values()) participant.sendBytes(bytes);
  }

  /** To be called about every 30 ms, with the packets that the room may forward: loss repair, layers, speakers, losses. */
  tick(now_ms: number, packets_per_second: number): void {
    this.packets.refill(packets_per_second, now_ms);
    for (const { publisher } of this.participants.values()) publisher.tick(now_ms);
    if (now_ms - this.#allocated_at_ms >= LIMITS.allocation_interval_ms) {
      this.#allocated_at_ms = now_ms;
      allocateLayers(this, packets_per_second, now_ms);
    }
    for (const update of this.#updates.due(now_ms)) this.#broadcast(update);
    if (now_ms - this.#speakers_at_ms >= LIMITS.speakers_interval_ms) {
      this.#speakers_at_ms = now_ms;
      const speakers = this.#speakers.update(this.participants.values());
      if (speakers.length > 0) this.#broadcast({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) });
      this.#sweep(now_ms);
    }
    const qualities = this.#lines.update(this.participants.values(), now_ms);
    if (qualities) this.#broadcast({ case: 'connectionQuality', value: qualities });
  }

  #sweep(now_ms: number): void {
    for (const participant of this.participants.values()) {
      const silent = participant.isMediaSilent(now_ms, LIMITS.media_silence_ms);
      const detached_ms = participant.detached_at_ms === undefined ? 0 : now_ms - participant.detached_at_ms;
      const never_connected =
        participant.state !== ParticipantInfo_State.ACTIVE &&
        now_ms - participant.started_at_ms > LIMITS.join_timeout_ms;
      if (never_connected) this.remove(participant, DisconnectReason.CONNECTION_TIMEOUT);
      else if (detached_ms > LIMITS.resume_window_ms && silent) this.remove(participant, DisconnectReason.SIGNAL_CLOSE);
    }
    if (this.#timeout.isOver(now_ms)) this.finish();
  }

  /** Ends the room for everybody. */
  finish(reason = DisconnectReason.ROOM_DELETED, action = LeaveRequest_Action.DISCONNECT): void {
    if (this.#finished) return;
    this.#finished = true;
    for (const participant of this.participants.values()) this.remove(participant, reason, action);
    this.#webhook('room_finished');
    this.#events.onFinished(this);
  }
}
