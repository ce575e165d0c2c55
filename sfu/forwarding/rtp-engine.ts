/**
 * The seam between the rooms and whatever moves RTP. Nothing outside `transport/` and `recording/` imports a WebRTC
 * package, so that another engine can take the place of the present one.
 */
import type { Description, MediaKind } from '../signal/sdp.ts';

export type { MediaKind };

/** What a packet holds: Opus alone, Opus with the packets before it (RED, RFC 2198), VP8. */
export type Codec = 'opus' | 'red' | 'vp8';

/** One RTP packet (RFC 3550) as it came from a publisher, decrypted, with the header extensions that matter here. */
export type RtpIn = {
  ssrc: number;
  codec: Codec;
  sequence: number;
  timestamp: number;
  marker: boolean;
  payload: Buffer;
  /** SDES mid (RFC 9143) and rid (RFC 8852), present on the first packets of a stream only. */
  mid?: string;
  rid?: string;
  /** Loudness below full scale in dB, 0 loudest to 127 silent (RFC 6464). */
  level_db?: number;
};

/** One RTP packet to a subscriber; SSRC and payload type belong to the outgoing stream. */
export type RtpOut = {
  codec: Codec;
  sequence: number;
  timestamp: number;
  marker: boolean;
  payload: Buffer;
  /** Set by the engine at the first sending. */
  send_time?: number;
};

/** What a receiver of our packets asks for and tells of, and a publisher's sender report. */
export type Feedback =
  | { type: 'nack'; ssrc: number; sequences: number[] }
  | { type: 'picture-loss'; ssrc: number }
  | { type: 'sender-report'; ssrc: number; ntp: bigint; rtp_timestamp: number }
  /** What the receiver believes its line carries for all pictures together (REMB). */
  | { type: 'bandwidth'; bits_per_second: number }
  /** The share of a stream's packets that were lost since its last report, 0 to 1 (RFC 3550, 6.4.1). */
  | { type: 'loss'; ssrc: number; share: number };

/** Figures of a receiver report block (RFC 3550, 6.4.1). */
export type ReportBlock = {
  ssrc: number;
  fraction_lost: number;
  /** Packets lost since the report before; not part of the block. */
  lost_since: number;
  packets_lost: number;
  highest_sequence: number;
  jitter: number;
  last_sender_report: number;
  delay_since_last_sender_report: number;
};

export type ConnectionState = 'connecting' | 'connected' | 'failed' | 'closed';

export type ConnectionEvents = {
  onState(state: ConnectionState): void;
  onRtp(packet: RtpIn): void;
  onFeedback(feedback: Feedback): void;
  /** A message on a channel that the peer opened, by the channel's label. */
  onData(label: string, data: Buffer): void;
  /**
   * Whether so much data may be taken now. What may not is not acknowledged, so that the peer sends it again later, and
   * more slowly (RFC 9260, 7.2.3).
   */
  admitData(chunks: number, bytes: number): boolean;
  /** A packet was dropped because reading it failed. */
  onError(error: unknown): void;
};

export type DataChannel = {
  isOpen(): boolean;
  /** What waits to be sent or to be acknowledged on all channels of the connection, each packet as if it were full. */
  bufferedBytes(): number;
  send(data: Buffer): void;
};

/** One stream towards a subscriber: one media section of the offer. */
export type Outgoing = {
  readonly ssrc: number;
  /** The media section's mid. */
  readonly mid: string;
  /** Whether the client has agreed to the stream; before that nothing is sent. */
  isAnswered(): boolean;
  /** Whether the client takes sound with redundancy (RFC 2198). */
  takesRed(): boolean;
  send(packet: RtpOut): void;
  /** Sends a packet again, which the client has missed. */
  resend(packet: RtpOut): void;
  sendReport(ntp: bigint, rtp_timestamp: number): void;
  /** Ends the stream; the next offer says so, and a later stream of the kind takes its section. */
  stop(): void;
};

/** How the microphone of a section should be encoded. */
export type AudioParameters = { dtx: boolean; stereo: boolean; red: boolean };

export type OutgoingOptions = { stream_id: string; track_id: string; stereo: boolean };

export type MediaConnection = {
  /**
   * Applies the peer's offer and makes the answer, as SDP.
   * @param wishesFor what is asked of the section whose msid names a track
   * @throws Error when the description cannot be used
   */
  acceptOffer(offer: Description, wishesFor: (track_id: string | undefined) => AudioParameters): string;
  /** Makes an offer; `restart` renews the ICE credentials (RFC 8445, 9). */
  createOffer(restart: boolean): string;
  /** @throws Error when the description cannot be used */
  acceptAnswer(answer: Description): void;
  addOutgoing(kind: MediaKind, options: OutgoingOptions): Outgoing;
  openDataChannel(label: string, reliable: boolean, onOpen: () => void): DataChannel;
  requestKeyFrame(ssrc: number): void;
  requestPackets(ssrc: number, sequences: number[]): void;
  sendReceiverReport(blocks: ReportBlock[]): void;
  /** Tells the publisher how much it may send (REMB). */
  sendBandwidth(bits_per_second: number, ssrcs: number[]): void;
  /** When the peer was last heard of, in ms of `performance.now()`. */
  lastSeenAt(): number;
  close(): Promise<void>;
};

export type RtpEngine = { createConnection(events: ConnectionEvents): MediaConnection };
