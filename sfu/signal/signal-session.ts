import {
  DisconnectReason,
  LeaveRequest_Action,
  Pong,
  RequestResponse,
  RequestResponse_Reason,
  SessionDescription,
  SignalRequest,
  type UpdateParticipantMetadata,
  type UpdateSubscription,
  type UpdateTrackSettings,
} from '@livekit/protocol';
import { LIMITS } from '../limits.ts';
import { SignalBudget } from './connection-limits.ts';
import type { Participant } from '../rooms/participant.ts';
import type { Room } from '../rooms/room.ts';
import { mediaSectionsOf, readDescription, requireValidDescription } from '../sdp/sdp.ts';

/** Thrown for a frame that a well-behaved client never sends; its sender is disconnected. */
class HostileFrameError extends Error {
  override name = 'HostileFrameError';
}

type Request = SignalRequest['message'];

/** Processes the signal frames of one participant, one after the other. */
export class SignalSession {
  readonly #room: Room;
  readonly #participant: Participant;
  readonly #budget = new SignalBudget();
  readonly #fail: (error: unknown) => void;
  #waiting = 0;
  #chain: Promise<void> = Promise.resolve();

  /** @param fail called once with the first error; the caller disconnects the client */
  constructor(room: Room, participant: Participant, fail: (error: unknown) => void) {
    this.#room = room;
    this.#participant = participant;
    this.#fail = fail;
  }

  receive(frame: Buffer, binary: boolean): void {
    try {
      if (!binary) throw new HostileFrameError('text frame');
      const now_ms = performance.now();
      if (!this.#budget.takeBytes(now_ms, frame.length)) throw new HostileFrameError('too many bytes');
      const { message } = SignalRequest.fromBinary(frame);
      if (!this.#budget.takeMessage(now_ms, message.case)) throw new HostileFrameError('too many messages');
      // An ICE-lite server learns the client's addresses from its checks (RFC 8445, 2.5).
      if (message.case === 'trickle') return;
      // A frame without a known message is either garbled or from a newer client; an empty one is garbled.
      if (message.case === undefined && frame.length === 0) throw new HostileFrameError('empty frame');
      if (++this.#waiting > LIMITS.signal_queue_messages) throw new HostileFrameError('too many messages waiting');
      this.#chain = this.#chain
        .then(() => (this.#participant.closed ? undefined : this.#handle(message)))
        .catch((error: unknown) => this.#fail(error))
        .finally(() => this.#waiting--);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #handle(message: Request): Promise<void> {
    const participant = this.#participant;
    switch (message.case) {
      case 'offer':
        return this.#acceptOffer(message.value);
      case 'answer':
        requireValidDescription(message.value.sdp, LIMITS.sdp_answered_sections);
        return participant.subscriber.acceptAnswer(message.value);
      case 'addTrack':
        return this.#addTrack(message);
      case 'mute': {
        const track = participant.publisher.tracks.get(message.value.sid);
        if (track) this.#room.setMuted(participant, track, message.value.muted, false);
        return;
      }
      case 'subscription':
        return this.#updateSubscription(message.value);
      case 'trackSetting':
        return this.#updateSettings(message.value);
      case 'updateMetadata':
        return this.#updateMetadata(message.value);
      case 'leave':
        return this.#room.remove(participant, DisconnectReason.CLIENT_INITIATED, LeaveRequest_Action.DISCONNECT, false);
      case 'ping':
        return participant.send({ case: 'pong', value: BigInt(Date.now()) });
      case 'pingReq': {
        const value = new Pong({ lastPingTimestamp: message.value.timestamp, timestamp: BigInt(Date.now()) });
        return participant.send({ case: 'pongResp', value });
      }
      case 'updateAudioTrack': {
        const track = participant.publisher.tracks.get(message.value.trackSid);
        if (!track || message.value.features.length > LIMITS.track_audio_features) return;
        track.info.audioFeatures = message.value.features;
        return this.#room.broadcastInfo(participant);
      }
      default:
        // Layers, sync state and the rest contain nothing that the server does not know.
        return;
    }
  }

  #acceptOffer(offer: SessionDescription): void {
    const participant = this.#participant;
    requireValidDescription(offer.sdp, LIMITS.sdp_sections);
    const description = readDescription(offer.sdp);
    const sdp = participant.publisher_connection.acceptOffer(description, (cid) =>
      participant.publisher.audioParametersOf(cid),
    );
    const { started, ended } = participant.publisher.bindSections(mediaSectionsOf(description));
    const changes = started.length + ended.length;
    if (changes > 0 && !participant.track_changes.take(performance.now(), changes))
      throw new HostileFrameError('too many tracks started and ended');
    const answer = new SessionDescription({ type: 'answer', sdp, id: offer.id, midToTrackId: {} });
    participant.send({ case: 'answer', value: answer });
    for (const track of ended) this.#room.endTrack(participant, track);
    for (const track of started) this.#room.trackStarted(participant, track);
  }

  #addTrack(message: Extract<Request, { case: 'addTrack' }>): void {
    const participant = this.#participant;
    if (!participant.mayPublish(message.value.source)) return this.#refuse(RequestResponse_Reason.NOT_ALLOWED, message);
    const track = participant.announceTrack(message.value);
    if (track) this.#room.announce(participant, track);
    else this.#refuse(RequestResponse_Reason.LIMIT_EXCEEDED, message);
  }

  #refuse(reason: RequestResponse_Reason, request: RequestResponse['request'], requestId = 0): void {
    const message = RequestResponse_Reason[reason] ?? '';
    const value = new RequestResponse({ requestId, reason, message, request });
    this.#participant.send({ case: 'requestResponse', value });
  }

  #updateSubscription(update: UpdateSubscription): void {
    const sids = new Set([...update.trackSids, ...update.participantTracks.flatMap((entry) => entry.trackSids)]);
    if (sids.size > LIMITS.tracks_per_request) throw new HostileFrameError('too many tracks in a request');
    for (const owner of this.#room.participants.values()) {
      for (const track of owner.publisher.tracks.values()) {
        if (!sids.has(track.info.sid)) continue;
        if (update.subscribe) this.#room.subscribe(this.#participant, owner, track);
        else this.#participant.subscriber.unsubscribe(track.info.sid);
      }
    }
  }

  #updateSettings(settings: UpdateTrackSettings): void {
    if (settings.trackSids.length > LIMITS.tracks_per_request)
      throw new HostileFrameError('too many tracks in a request');
    for (const sid of settings.trackSids) {
      const quality = this.#chooseQuality(sid, settings);
      this.#participant.subscriber.requestQuality(sid, settings.disabled, quality);
    }
  }

  /** Clients with adaptive streams send the dimensions of their view instead of a quality. */
  #chooseQuality(sid: string, settings: UpdateTrackSettings): number {
    if (settings.width === 0 || settings.height === 0) return settings.quality;
    for (const owner of this.#room.participants.values()) {
      const track = owner.publisher.tracks.get(sid);
      if (!track) continue;
      const layers = [...track.info.layers].sort((a, b) => a.width - b.width);
      const fitting = layers.find((layer) => layer.width >= settings.width && layer.height >= settings.height);
      return fitting?.quality ?? 2;
    }
    return settings.quality;
  }

  #updateMetadata(update: UpdateParticipantMetadata): void {
    const participant = this.#participant;
    const request = { case: 'updateMetadata', value: update } as const;
    if (!participant.permission.canUpdateMetadata)
      return this.#refuse(RequestResponse_Reason.NOT_ALLOWED, request, update.requestId);
    const error = setDetails(participant, update.name, update.metadata, update.attributes);
    if (error) return this.#refuse(RequestResponse_Reason.LIMIT_EXCEEDED, request, update.requestId);
    this.#refuse(RequestResponse_Reason.OK, request, update.requestId);
    this.#room.broadcastInfo(participant);
  }
}

/**
 * Sets name, metadata and attributes; an empty text keeps the old one, an attribute with an empty value is deleted.
 * @returns true when the limits were exceeded, and nothing was changed
 */
export function setDetails(
  target: Participant,
  name: string,
  metadata: string,
  attributes: Record<string, string>,
): boolean {
  const merged = Object.fromEntries(
    Object.entries({ ...target.attributes, ...attributes }).filter(([, value]) => value !== ''),
  );
  const bytes = Buffer.byteLength(metadata) + Buffer.byteLength(JSON.stringify(merged));
  if (name.length > LIMITS.name_characters || bytes > LIMITS.metadata_bytes) return true;
  if (Object.keys(merged).length > LIMITS.attributes) return true;
  target.name = name || target.name;
  target.metadata = metadata || target.metadata;
  target.attributes = merged;
  return false;
}
