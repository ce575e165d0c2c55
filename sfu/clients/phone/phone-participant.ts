/** A phone in a room: a client of LiveKit's protocol that sends and receives audio in 20 ms frames at 8 kHz. */
import { randomInt } from 'node:crypto';
import {
  AddTrackRequest,
  DataPacket,
  SessionDescription,
  SignalTarget,
  SipDTMF,
  TrackSource,
  TrackType,
  type SignalResponse,
} from '@livekit/protocol';
import { Application, createEncoder, type OpusEncoderHandle } from 'libopus-wasm';
import { RoomListener } from '../recorder/room-listener.ts';
import { FRAME_SAMPLES, Mixer, RATE_HZ } from './mixer.ts';
import { createSendingPeer, type SendingPeer } from './sending-peer.ts';

/** What a phone receives from its room. */
export type PhoneEvents = {
  /** 20 ms of received audio: 160 samples of 16 bits. Called for silence too. */
  onFrame(samples: Int16Array): void;
  /**
   * The session has ended: permanently when the participant was removed, otherwise it may reconnect. Called once, not
   * after `leave`.
   */
  onEnd(may_return: boolean): void;
  /** A handshake of the media server did not prove who it is. */
  onRefusal?(refusal: Error): void;
};

const FRAME_MS = 20;
/** The RTP clock of Opus is 48 kHz at every sample rate (RFC 7587, section 4.1). */
const FRAME_TICKS = 960;
/** A pause after which the next packet starts a new talkspurt, in ms. */
const PAUSE_MS = 200;
/** How many frames are caught up at once when this process was busy. */
const CATCH_UP_FRAMES = 10;
/** The event codes of keys (RFC 4733, section 3.2). */
const KEYS = '0123456789*#ABCD';

/** The level in dB below full scale, 127 for silence (RFC 6464). */
export function levelOf(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  if (energy === 0) return 127;
  const level = -10 * Math.log10(energy / samples.length / 32_768 ** 2);
  return Math.max(0, Math.min(127, Math.round(level)));
}

/** One session in a room. */
export class PhoneParticipant {
  readonly #mixer = new Mixer();
  readonly #events: PhoneEvents;
  #listener: RoomListener | undefined;
  #peer: SendingPeer | undefined;
  #encoder: OpusEncoderHandle | undefined;
  #clock: NodeJS.Timeout | undefined;
  #sequence = randomInt(0x8000);
  #timestamp = randomInt(0x7fffffff);
  #spoke_at_ms = -Infinity;
  #joined = false;
  #ended = false;

  /**
   * Joins a room and publishes a microphone; resolves when the media server has accepted it.
   * @param url of the media server, `http:` or `https:`
   * @throws Error when the server refuses or does not answer
   */
  static async join(url: string, token: string, events: PhoneEvents): Promise<PhoneParticipant> {
    const voice = new PhoneParticipant(events);
    try {
      await voice.#join(url, token);
      if (voice.#ended) throw new Error('the media server closed the line');
      voice.#joined = true;
    } catch (error) {
      // If the session ended while these were created, they are closed as well.
      voice.#release();
      throw error;
    }
    return voice;
  }

  private constructor(events: PhoneEvents) {
    this.#events = events;
  }

  async #join(url: string, token: string): Promise<void> {
    this.#encoder = await createEncoder({
      sampleRate: RATE_HZ,
      channels: 1,
      application: Application.Audio,
      frameSize: FRAME_SAMPLES,
      bitrate: 24_000,
    });
    const listener = (this.#listener = await RoomListener.join(url, token, {
      onTracks: (tracks) => this.#mixer.keep(new Set(tracks.map(({ track_sid }) => track_sid))),
      onPacket: (packet) => this.#mixer.add(packet),
      onSpeaking: () => undefined,
      onEnd: (may_return, refusal) => this.#end(may_return, refusal),
      onOther: (message) => this.#receive(message),
    }));
    const peer = (this.#peer = await createSendingPeer(listener.host, (refusal) => this.#end(true, refusal)));
    const { MICROPHONE: source } = TrackSource;
    const value = new AddTrackRequest({ cid: peer.cid, name: 'phone', type: TrackType.AUDIO, source });
    listener.request({ case: 'addTrack', value });
    this.#receiveAudio();
  }

  #receive(message: SignalResponse['message']): void {
    const peer = this.#peer;
    if (!peer) return;
    if (message.case === 'trackPublished') this.#offer(peer).catch(() => this.#end(true));
    else if (message.case === 'answer') peer.acceptAnswer(message.value.sdp).catch(() => this.#end(true));
    else if (message.case === 'trickle' && message.value.target === SignalTarget.PUBLISHER)
      peer.addCandidate(message.value.candidateInit);
  }

  async #offer(peer: SendingPeer): Promise<void> {
    const sdp = await peer.createOffer();
    this.#listener?.request({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: 1 }) });
  }

  /** Delivers received audio by the system clock, since a timer alone drifts. */
  #receiveAudio(): void {
    let due_ms = performance.now();
    this.#clock = setInterval(() => {
      const now_ms = performance.now();
      if (now_ms - due_ms > CATCH_UP_FRAMES * FRAME_MS) due_ms = now_ms;
      for (; due_ms <= now_ms && !this.#ended; due_ms += FRAME_MS) this.#events.onFrame(this.#mixer.take());
    }, FRAME_MS);
  }

  /** Sends 20 ms: 160 samples of 16 bits. */
  speak(samples: Int16Array): void {
    if (this.#ended || !this.#encoder) return;
    const now_ms = performance.now();
    const marker = now_ms - this.#spoke_at_ms > PAUSE_MS;
    if (marker && this.#spoke_at_ms > 0) this.#timestamp += Math.round(now_ms - this.#spoke_at_ms) * 48;
    this.#spoke_at_ms = now_ms;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + FRAME_TICKS) >>> 0;
    const payload = this.#encoder.encode(samples);
    const { sequence, timestamp } = { sequence: this.#sequence, timestamp: this.#timestamp };
    this.#peer?.send({ sequence, timestamp, marker, level_db: levelOf(samples), payload });
  }

  /** Sends digits as LiveKit's SIP service does for DTMF. */
  sendDigits(digits: string): void {
    for (const digit of digits) {
      const value = new SipDTMF({ code: KEYS.indexOf(digit), digit });
      this.#peer?.sendData(Buffer.from(new DataPacket({ value: { case: 'sipDtmf', value } }).toBinary()));
    }
  }

  #end(may_return: boolean, refusal?: Error): void {
    if (this.#ended) return;
    if (refusal) this.#events.onRefusal?.(refusal);
    this.leave();
    if (this.#joined) this.#events.onEnd(may_return);
  }

  /** Leaves the room; idempotent. */
  leave(): void {
    if (!this.#ended) this.#release();
  }

  #release(): void {
    this.#ended = true;
    clearInterval(this.#clock);
    this.#mixer.close();
    this.#encoder?.free();
    this.#encoder = undefined;
    this.#peer?.close().catch(() => undefined);
    this.#listener?.leave();
  }
}
