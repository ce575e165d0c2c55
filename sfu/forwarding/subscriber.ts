import { SessionDescription, StreamState, StreamStateInfo, TrackSource } from '@livekit/protocol';
import { allocate, BandwidthEstimate } from './allocation.ts';
import type { DataBudget } from './data-budget.ts';
import { createKeyFrameBudget, Forwarder } from './forwarder.ts';
import { LIMITS, type RateGate } from '../limits.ts';
import { readDescription } from '../sdp/sdp.ts';
import type { DataChannel, Feedback, MediaConnection } from './rtp-engine.ts';
import { RANKS, type PacketBudget } from './packet-budget.ts';
import type { PublishedTrack } from './published-track.ts';

/** Signals to the subscriber's client. */
export type SubscriberOutput = {
  /** Sends an offer to the client. */
  sendOffer(offer: SessionDescription): void;
  /** Tells the client which video streams are paused for lack of bandwidth, and which are resumed. */
  sendStreamStates(states: StreamStateInfo[]): void;
};

/** The budgets that a participant shares with others. */
export type RoomBudgets = { data_budget: DataBudget; packets: PacketBudget };

/** The sending side of a participant's media: offers, forwarded tracks and data channels. */
export class Subscriber {
  readonly #connection: MediaConnection;
  readonly #output: SubscriberOutput;
  readonly #forwarders = new Map<string, { forwarder: Forwarder; publisher_sid: string }>();
  /** The same by their streams, since one datagram may name hundreds. */
  readonly #by_ssrc = new Map<number, Forwarder>();
  /** Kept while it is not subscribed to a track, so that subscribing again grants no more. */
  readonly #key_frames = new WeakMap<PublishedTrack, RateGate>();
  readonly #reliable: DataChannel;
  readonly #lossy: DataChannel;
  readonly #data_budget: DataBudget;
  readonly #packets: PacketBudget;
  readonly #pending: Buffer[] = [];
  #pending_bytes = 0;
  #offer: SessionDescription | undefined;
  #offer_id = 0;
  readonly #line = new BandwidthEstimate();
  #next_bps: number | undefined;
  #allocated_at_ms = 0;
  #stale = false;
  #restart = false;
  #busy = false;
  #closed = false;

  constructor(connection: MediaConnection, { data_budget, packets }: RoomBudgets, output: SubscriberOutput) {
    this.#connection = connection;
    this.#data_budget = data_budget;
    this.#packets = packets;
    this.#output = output;
    this.#reliable = connection.openDataChannel('_reliable', true, () => this.#flush());
    this.#lossy = connection.openDataChannel('_lossy', false, () => undefined);
  }

  /** Creates an offer as soon as the last one is answered; changes in between are combined in one offer. */
  negotiate(restart = false): void {
    this.#stale = true;
    this.#restart ||= restart;
    if (this.#busy || this.#offer) return;
    this.#busy = true;
    // Changes in the same turn are combined in one offer.
    queueMicrotask(() => {
      this.#busy = false;
      if (!this.#closed) this.#makeOffer();
    });
  }

  #makeOffer(): void {
    this.#stale = false;
    const restart = this.#restart;
    this.#restart = false;
    const sdp = this.#connection.createOffer(restart);
    const mids = [...this.#forwarders.values()].map(({ forwarder }) => [forwarder.out.mid, forwarder.track.info.sid]);
    const midToTrackId = Object.fromEntries(mids);
    this.#offer = new SessionDescription({ type: 'offer', sdp, id: ++this.#offer_id, midToTrackId });
    this.#output.sendOffer(this.#offer);
  }

  /** Sends the unanswered offer again, after the client's socket was replaced. */
  repeatOffer(): void {
    if (this.#offer) this.#output.sendOffer(this.#offer);
  }

  acceptAnswer(answer: SessionDescription): void {
    // A repeated offer may be answered twice; the second answer is ignored.
    if (!this.#offer || (answer.id !== 0 && answer.id !== this.#offer.id)) return;
    this.#connection.acceptAnswer(readDescription(answer.sdp));
    this.#offer = undefined;
    for (const { forwarder } of this.#forwarders.values()) forwarder.requestKeyFrameIfNeeded();
    if (this.#stale) this.negotiate();
  }

  has(track_sid: string): boolean {
    return this.#forwarders.has(track_sid);
  }

  /** @param hears_all the subscriber gets every voice, however many there are */
  subscribe(track: PublishedTrack, publisher_sid: string, hears_all: boolean): boolean {
    const { sid } = track.info;
    if (this.#forwarders.has(sid)) return false;
    const { stereo } = track.info;
    const out = this.#connection.addOutgoing(track.kind, {
      stream_id: `${publisher_sid}|${sid}`,
      track_id: sid,
      stereo,
    });
    const forwarder = new Forwarder(track, out, hears_all, this.#keyFramesOf(track));
    this.#forwarders.set(sid, { forwarder, publisher_sid });
    this.#by_ssrc.set(out.ssrc, forwarder);
    track.forwarders.add(forwarder);
    this.negotiate();
    return true;
  }

  #keyFramesOf(track: PublishedTrack): RateGate {
    const budget = this.#key_frames.get(track) ?? createKeyFrameBudget();
    this.#key_frames.set(track, budget);
    return budget;
  }

  unsubscribe(track_sid: string): void {
    const found = this.#forwarders.get(track_sid);
    if (!found) return;
    this.#forwarders.delete(track_sid);
    this.#by_ssrc.delete(found.forwarder.out.ssrc);
    found.forwarder.track.forwarders.delete(found.forwarder);
    found.forwarder.out.stop();
    this.negotiate();
  }

  requestQuality(track_sid: string, disabled: boolean, quality: number): void {
    this.#forwarders.get(track_sid)?.forwarder.requestQuality(disabled, quality);
  }

  receiveFeedback(feedback: Feedback): void {
    const now_ms = performance.now();
    if (feedback.type === 'bandwidth') return this.#line.updateBandwidth(feedback.bits_per_second, now_ms);
    if (feedback.type === 'sender-report') return;
    const forwarder = this.#by_ssrc.get(feedback.ssrc);
    if (!forwarder) return;
    if (feedback.type === 'nack') return this.#resend(forwarder, feedback.sequences, now_ms);
    if (feedback.type === 'picture-loss') return forwarder.requestKeyFrame();
    forwarder.lost_share = forwarder.track.lossAfter(feedback.share);
    if (forwarder.track.kind === 'video') this.#line.updateLoss(forwarder.lost_share, now_ms);
  }

  /** A retransmission costs as much as any packet; where the room has too many, a key frame repairs the loss. */
  #resend(forwarder: Forwarder, sequences: number[], now_ms: number): void {
    if (this.#packets.admits(RANKS.camera)) this.#packets.take(forwarder.resend(sequences, now_ms));
  }

  /** The fraction of packets lost on this connection, of the worst stream by the last reports, 0 to 1. */
  lostShare(): number {
    return Math.max(0, ...[...this.#forwarders.values()].map(({ forwarder }) => forwarder.lost_share));
  }

  /** Bytes of data buffered for this receiver. */
  bufferedDataBytes(): number {
    return this.#pending_bytes + this.#reliable.bufferedBytes();
  }

  /**
   * Sends a data packet; a reliable one is buffered until the channel opens.
   * @returns false when it is dropped, since the receiver reads too slowly
   */
  sendData(data: Buffer, reliable: boolean): boolean {
    const channel = reliable ? this.#reliable : this.#lossy;
    const buffered_bytes = this.bufferedDataBytes();
    if (buffered_bytes > (reliable ? LIMITS.reliable_buffered_bytes : LIMITS.lossy_buffered_bytes)) return false;
    if (this.#data_budget.isFull(buffered_bytes)) return false;
    if (channel.isOpen()) {
      this.#data_budget.recordSent(data.length);
      channel.send(data);
      return true;
    }
    // A lossy packet is obsolete by the time the channel opens.
    if (!reliable) return true;
    const bytes = this.#pending_bytes + data.length;
    if (this.#pending.length >= LIMITS.reliable_pending_packets || bytes > LIMITS.reliable_pending_bytes) return false;
    this.#pending.push(data);
    this.#pending_bytes = bytes;
    return true;
  }

  /** To be called twice a second: allocates a layer to each video track within the bandwidth. */
  allocateLayers(now_ms: number): void {
    const videos = [...this.#forwarders.values()].filter(
      ({ forwarder }) => forwarder.track.kind === 'video' && forwarder.requestedQuality() >= 0,
    );
    const bytes = videos.reduce((sum, { forwarder }) => sum + forwarder.takeBytes(), 0);
    const sent_bps = (bytes * 8_000) / Math.max(1, now_ms - this.#allocated_at_ms);
    this.#allocated_at_ms = now_ms;
    const requests = videos.map(({ forwarder }) => ({
      quality: forwarder.requestedQuality(),
      rates: forwarder.track.rates(),
      is_screen: forwarder.track.info.source === TrackSource.SCREEN_SHARE,
    }));
    this.#line.update(sent_bps, this.#next_bps, now_ms);
    const { qualities, next_bps } = allocate(requests, this.#line.limit_bps);
    this.#next_bps = next_bps;
    const changed = videos.filter(({ forwarder }, index) => forwarder.allow(qualities[index] ?? 2));
    if (changed.length === 0) return;
    this.#output.sendStreamStates(
      changed.map(({ forwarder, publisher_sid: participantSid }) => {
        const state = forwarder.target() < 0 ? StreamState.PAUSED : StreamState.ACTIVE;
        return new StreamStateInfo({ participantSid, trackSid: forwarder.track.info.sid, state });
      }),
    );
  }

  #flush(): void {
    this.#pending_bytes = 0;
    for (const data of this.#pending.splice(0)) this.#reliable.send(data);
  }

  close(): void {
    this.#closed = true;
    for (const { forwarder } of this.#forwarders.values()) forwarder.track.forwarders.delete(forwarder);
    this.#forwarders.clear();
    this.#by_ssrc.clear();
  }
}
