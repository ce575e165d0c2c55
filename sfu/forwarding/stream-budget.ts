/**
 * What a publisher may send. Each packet costs as much as the room has receivers, and no congestion control bounds
 * what a client that is not a browser sends.
 */
import { createRateGate, LIMITS } from '../limits.ts';
import type { MediaKind } from './rtp-engine.ts';

/** The budget of one RTP stream: whether a datagram of this size may still be forwarded. `has` consumes nothing. */
export type StreamBudget = {
  take(now_ms: number, bytes: number): boolean;
  has(now_ms: number, bytes: number): boolean;
};

/** Creates the budget of a stream, which holds a second of it, so that a burst after a pause passes. */
export function createStreamBudget(kind: MediaKind): StreamBudget {
  const { audio_packets_per_second, video_packets_per_second, video_bytes_per_second } = LIMITS;
  const per_second = kind === 'audio' ? audio_packets_per_second : video_packets_per_second;
  const packets = createRateGate(per_second, per_second);
  // Packets of audio are too few to need another limit.
  const byte_gate = kind === 'video' ? createRateGate(video_bytes_per_second, video_bytes_per_second) : undefined;
  return {
    take: (now_ms, bytes) => packets.take(now_ms) && (byte_gate?.take(now_ms, bytes) ?? true),
    has: (now_ms, bytes) => packets.has(now_ms) && (byte_gate?.has(now_ms, bytes) ?? true),
  };
}
