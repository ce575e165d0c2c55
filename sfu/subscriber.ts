import { SessionDescription } from '@livekit/protocol';
import { Forwarder } from './forwarder.ts';
import { LIMITS } from './limits.ts';
import type { DataChannel, Feedback, MediaConnection } from './rtp-engine.ts';
import type { PublishedTrack } from './publisher.ts';

export type SubscriberOutput = {
  /** Hands an offer to the client. */
  sendOffer(offer: SessionDescription): void;
  /** The client cannot be kept: it does not read its data, or its answer does not fit. */
  fail(reason: string): void;
};

/** The outgoing half of a participant's media: the offers, the forwarded tracks and the data channels. */
export class Subscriber {
  readonly #connection: MediaConnection;
  readonly #output: SubscriberOutput;
  readonly #forwarders = new Map<string, { forwarder: Forwarder; publisher_sid: string }>();
  readonly #reliable: DataChannel;
  readonly #lossy: DataChannel;
  readonly #pending: Buffer[] = [];
  #offer: SessionDescription | undefined;
  #offer_id = 0;
  #stale = false;
  #restart = false;
  #busy = false;
  #closed = false;

  constructor(connection: MediaConnection, output: SubscriberOutput) {
    this.#connection = connection;
    this.#output = output;
    this.#reliable = connection.openDataChannel('_reliable', true, () => this.#flush());
    this.#lossy = connection.openDataChannel('_lossy', false, () => undefined);
  }

  /** Makes an offer as soon as the last one is answered; changes in between go into one offer. */
  negotiate(restart = false): void {
    this.#stale = true;
    this.#restart ||= restart;
    if (this.#busy || this.#offer) return;
    this.#busy = true;
    // What changes in the same turn goes into one offer.
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
    // An answer to an offer that was repeated may come twice; the second is nothing to us.
    if (!this.#offer || (answer.id !== 0 && answer.id !== this.#offer.id)) return;
    this.#connection.acceptAnswer(answer.sdp);
    this.#offer = undefined;
    for (const { forwarder } of this.#forwarders.values()) forwarder.requestKeyFrameIfNeeded();
    if (this.#stale) this.negotiate();
  }

  has(track_sid: string): boolean {
    return this.#forwarders.has(track_sid);
  }

  subscribe(track: PublishedTrack, publisher_sid: string): boolean {
    const { sid } = track.info;
    if (this.#forwarders.has(sid)) return false;
    const { stereo } = track.info;
    const out = this.#connection.addOutgoing(track.kind, {
      stream_id: `${publisher_sid}|${sid}`,
      track_id: sid,
      stereo,
    });
    const forwarder = new Forwarder(track, out);
    this.#forwarders.set(sid, { forwarder, publisher_sid });
    track.forwarders.add(forwarder);
    this.negotiate();
    return true;
  }

  unsubscribe(track_sid: string): void {
    const found = this.#forwarders.get(track_sid);
    if (!found) return;
    this.#forwarders.delete(track_sid);
    found.forwarder.track.forwarders.delete(found.forwarder);
    found.forwarder.out.stop();
    this.negotiate();
  }

  setWish(track_sid: string, disabled: boolean, quality: number): void {
    this.#forwarders.get(track_sid)?.forwarder.setWish(disabled, quality);
  }

  receiveFeedback(feedback: Feedback): void {
    if (feedback.type !== 'nack' && feedback.type !== 'picture-loss') return;
    for (const { forwarder } of this.#forwarders.values()) {
      if (forwarder.out.ssrc !== feedback.ssrc) continue;
      if (feedback.type === 'nack') forwarder.resend(feedback.sequences, performance.now());
      else forwarder.requestKeyFrame();
    }
  }

  /** Sends a data packet; a lossy one is dropped when the line is full, a reliable one waits for the channel. */
  sendData(data: Buffer, reliable: boolean): void {
    if (!reliable) {
      if (this.#lossy.isOpen() && this.#lossy.bufferedBytes() < LIMITS.lossy_buffered_bytes) this.#lossy.send(data);
      return;
    }
    if (!this.#reliable.isOpen()) {
      if (this.#pending.push(data) > LIMITS.reliable_pending_packets) this.#pending.shift();
      return;
    }
    if (this.#reliable.bufferedBytes() > LIMITS.reliable_buffered_bytes) this.#output.fail('data is not read');
    else this.#reliable.send(data);
  }

  #flush(): void {
    for (const data of this.#pending.splice(0)) this.#reliable.send(data);
  }

  close(): void {
    this.#closed = true;
    for (const { forwarder } of this.#forwarders.values()) forwarder.track.forwarders.delete(forwarder);
    this.#forwarders.clear();
  }
}
