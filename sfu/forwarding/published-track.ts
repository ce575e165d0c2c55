/** A published track: its RTP streams, and its receivers. */
import type { TrackInfo } from '@livekit/protocol';
import { createRateGate, LIMITS, type RateGate } from '../limits.ts';
import { WatchedQuality } from './dynacast.ts';
import { Reception } from './nack.ts';
import { RANKS, type Rank } from './packet-budget.ts';
import type { MediaConnection, MediaKind, RtpIn } from './rtp-engine.ts';
import { createStreamBudget, type StreamBudget } from './stream-budget.ts';

/** One RTP stream of a published track: the only one of a microphone, one of up to three layers of a camera. */
export type TrackLayer = {
  ssrc: number;
  quality: number;
  readonly budget: StreamBudget;
  reception: Reception;
  last_packet_at_ms: number;
  asked_key_frame_at_ms: number;
  /** The key frames that all receivers may cause. */
  readonly key_frames: RateGate;
  bytes: number;
  packets: number;
  /** The recent bitrate of the layer. */
  bits_per_second: number;
  /** Its packets a second when it was last received. */
  packets_per_second: number;
  /** The newest sender report that is not forwarded yet, and when the one before was. */
  report: { ntp: bigint; rtp_timestamp: number } | undefined;
  reported_at_ms: number;
};

/** A subscriber of a track, as the track sees it. */
export type TrackReceiver = {
  /** Whether it gets every voice, however many speak. */
  readonly hears_all: boolean;
  forward(packet: RtpIn, layer: TrackLayer, now_ms: number): boolean;
  drop(): void;
  restart(layer: TrackLayer): void;
  sendReport(layer: TrackLayer, ntp: bigint, rtp_timestamp: number): void;
  requestKeyFrameIfNeeded(): void;
  /** The target quality, 0 to 2; -1 for none. */
  target(): number;
  /** The quality that would be the target if the room shed nothing. */
  wanted(): number;
};

/** LiveKit's clients name their layers q, h and f, from low to high. */
const QUALITY_BY_RID: Record<string, number> = { q: 0, h: 1, f: 2 };
const LAYER_ALIVE_MS = 1_500;
const LAYER_REMEMBERED_MS = 30_000;
/** A published track, with its receivers. */
export class PublishedTrack {
  readonly info: TrackInfo;
  readonly cid: string;
  readonly kind: MediaKind;
  readonly layers = new Map<number, TrackLayer>();
  readonly forwarders = new Set<TrackReceiver>();
  readonly watched = new WatchedQuality();
  mid: string | undefined;
  /** What is shed before it, and what after it, when the room has too many packets. */
  rank: Rank;
  /** The best layer that the room may forward to anybody now; -1: none; and when it was last lowered. */
  best_quality = 2;
  #shed_at_ms = -Infinity;
  /** The fraction of packets lost from the publisher within the last second, 0 to 1, and within the one before. */
  lost_share = 0;
  #lost_before = 0;
  readonly #connection: MediaConnection;

  constructor(info: TrackInfo, cid: string, kind: MediaKind, connection: MediaConnection) {
    this.info = info;
    this.cid = cid;
    this.kind = kind;
    this.rank = kind === 'audio' ? RANKS.voice : RANKS.camera;
    this.#connection = connection;
  }

  addLayer(ssrc: number, rid: string | undefined, now_ms: number): TrackLayer {
    const layer: TrackLayer = {
      ssrc,
      quality: rid === undefined ? 2 : (QUALITY_BY_RID[rid] ?? 0),
      budget: createStreamBudget(this.kind),
      reception: new Reception(ssrc, this.kind === 'audio' ? 48_000 : 90_000),
      last_packet_at_ms: now_ms,
      asked_key_frame_at_ms: -Infinity,
      key_frames: createRateGate(LIMITS.key_frames_per_second_of_layer, LIMITS.key_frames_burst_of_layer),
      bytes: 0,
      packets: 0,
      bits_per_second: 0,
      packets_per_second: 0,
      report: undefined,
      reported_at_ms: -Infinity,
    };
    this.layers.set(ssrc, layer);
    return layer;
  }

  /** The best active layer up to a quality, or the lowest active one. */
  chooseLayer(quality: number): TrackLayer | undefined {
    const now_ms = performance.now();
    let best: TrackLayer | undefined;
    for (const layer of this.layers.values()) {
      if (now_ms - layer.last_packet_at_ms > LAYER_ALIVE_MS) continue;
      if (!best) best = layer;
      else if (
        layer.quality <= quality ? layer.quality > best.quality || best.quality > quality : layer.quality < best.quality
      )
        best = layer;
    }
    return best;
  }

  /** The bitrates of active layers, by quality, in bits per second. */
  rates(): (number | undefined)[] {
    const now_ms = performance.now();
    const rates: (number | undefined)[] = [];
    for (const { quality, bits_per_second, last_packet_at_ms } of this.layers.values())
      if (now_ms - last_packet_at_ms <= LAYER_ALIVE_MS) rates[quality] = bits_per_second;
    return rates;
  }

  /**
   * The packets a second that a receiver gets with a quality. Video that has not been received for a while counts as
   * before: it may have been disabled because it was shed, and would return when it is requested again.
   */
  packetsPerSecond(quality: number, now_ms: number): number {
    if (quality < 0 || this.info.muted) return 0;
    const kept_ms = this.kind === 'audio' ? LAYER_ALIVE_MS : LAYER_REMEMBERED_MS;
    let best: TrackLayer | undefined;
    for (const layer of this.layers.values()) {
      if (now_ms - layer.last_packet_at_ms > kept_ms) continue;
      const is_within = layer.quality <= quality;
      if (!best || (is_within ? layer.quality > best.quality || best.quality > quality : layer.quality < best.quality))
        best = layer;
    }
    return best?.packets_per_second ?? 0;
  }

  /** Sets the best layer that the room may forward, which rises only after a while. Forwarders follow with `allow`. */
  shed(quality: number, now_ms: number, return_ms: number): void {
    if (quality < this.best_quality) this.#shed_at_ms = now_ms;
    else if (now_ms - this.#shed_at_ms < return_ms) return;
    this.best_quality = quality;
  }

  /** Records the loss of another second. */
  setLoss(share: number): void {
    this.#lost_before = this.lost_share;
    this.lost_share = share;
  }

  /**
   * The part of a loss that a receiver reports which occurred on its own connection: packets that were lost before they
   * arrived here are missing for all. Its report may be about parts of two seconds.
   */
  lossAfter(reported_share: number): number {
    return Math.max(0, reported_share - Math.max(this.lost_share, this.#lost_before));
  }

  /**
   * Requests a key frame of a layer, at most once in 500 ms however many subscribers request one.
   * @param budget what the receiver may cause
   * @param is_first the receiver has received nothing of the track so far
   * @returns false when it is refused by a budget
   */
  requestKeyFrame(layer: TrackLayer, budget: RateGate, is_first: boolean): boolean {
    const now_ms = performance.now();
    if (now_ms - layer.asked_key_frame_at_ms < LIMITS.pli_interval_ms) return true;
    if (!budget.has(now_ms) || !(layer.key_frames.take(now_ms) || is_first)) return false;
    budget.take(now_ms);
    layer.asked_key_frame_at_ms = now_ms;
    this.#connection.requestKeyFrame(layer.ssrc);
    return true;
  }
}
