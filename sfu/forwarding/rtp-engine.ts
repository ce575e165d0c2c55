/**
 * The interface between rooms and the RTP transport. Nothing outside `transport/` and `clients/` imports a WebRTC
 * package, so that the engine can be replaced.
 */
import type { RateGate } from '../limits.ts';
import type { Description, MediaKind } from '../sdp/sdp.ts';
import type { AudioParameters } from '../sdp/sdp-writer.ts';

export type { AudioParameters, MediaKind };

/** The payload of a packet: Opus, Opus with redundancy (RED, RFC 2198), or VP8. */
export type Codec = 'opus' | 'red' | 'vp8';

/** An RTP packet (RFC 3550) from a publisher, decrypted, with the header extensions that are used. */
export type RtpIn = {
  ssrc: number;
  codec: Codec;
  sequence: number;
  timestamp: number;
  marker: boolean;
  payload: Buffer;
  /** SDES mid (RFC 9143) and rid (RFC 8852), present in the first packets of a stream only. */
  mid?: string;
  rid?: string;
  /** The level below full scale in dB, 0 loudest to 127 silent (RFC 6464). */
  level_db?: number;
};

/** An RTP packet to a subscriber; SSRC and payload type are those of the outgoing stream. */
export type RtpOut = {
  codec: Codec;
  sequence: number;
  timestamp: number;
  marker: boolean;
  payload: Buffer;
  /** Set by the engine when it is first sent. */
  send_time?: number;
};

/** RTCP feedback of receivers, and sender reports of publishers. */
export type Feedback =
  | { type: 'nack'; ssrc: number; sequences: number[] }
  | { type: 'picture-loss'; ssrc: number }
  | { type: 'sender-report'; ssrc: number; ntp: bigint; rtp_timestamp: number }
  /** The receiver's bandwidth estimate for all video (REMB). */
  | { type: 'bandwidth'; bits_per_second: number }
  /** The fraction of a stream's packets lost since the last report, 0 to 1 (RFC 3550, 6.4.1). */
  | { type: 'loss'; ssrc: number; share: number };

/** The fields of a receiver report block (RFC 3550, 6.4.1). */
export type ReportBlock = {
  ssrc: number;
  fraction_lost: number;
  /** Packets lost since the previous report; not part of the block. */
  lost_since: number;
  packets_lost: number;
  highest_sequence: number;
  jitter: number;
  last_sender_report: number;
  delay_since_last_sender_report: number;
};

/** The state of ICE and DTLS together, as `RTCPeerConnection.connectionState` without `new` and `disconnected`. */
export type ConnectionState = 'connecting' | 'connected' | 'failed' | 'closed';

/** What a connection asks and reports. */
export type ConnectionEvents = {
  onState(state: ConnectionState): void;
  /**
   * Whether an RTP datagram of a stream could be accepted; called before it is decrypted. It takes nothing, since the
   * datagram may be another's, who has forged the address of the peer.
   */
  mayAdmitRtp(ssrc: number, bytes: number): boolean;
  /** Whether an RTP datagram is accepted, now that it is known to be the peer's: takes it from the budgets. */
  admitRtp(ssrc: number, bytes: number): boolean;
  /** The participant's budget of received packets of other kinds: RTCP, and DTLS with data. */
  received: RateGate;
  onRtp(packet: RtpIn): void;
  onFeedback(feedback: Feedback): void;
  /** A message on a channel that the peer opened, by the channel's label. */
  onData(label: string, data: Buffer): void;
  /**
   * Whether this much data may be accepted now. Otherwise it is not acknowledged, so that the peer retransmits it later
   * and slows down (RFC 9260, 7.2.3).
   */
  admitData(chunks: number, bytes: number): boolean;
  /** A packet was dropped because parsing it failed. */
  onError(error: unknown): void;
};

/** An outgoing data channel (RFC 8831). */
export type DataChannel = {
  isOpen(): boolean;
  /** Data unsent or unacknowledged on all channels of the connection, counting each packet as full-sized. */
  bufferedBytes(): number;
  send(data: Buffer): void;
};

/** An outgoing stream to a subscriber: one media section of the offer. */
export type Outgoing = {
  readonly ssrc: number;
  /** The media section's mid. */
  readonly mid: string;
  /** Whether the client has accepted the stream; nothing is sent before. */
  isAnswered(): boolean;
  /** Whether the client supports redundant audio (RFC 2198). */
  takesRed(): boolean;
  send(packet: RtpOut): void;
  /** Retransmits a packet that the client has lost. */
  resend(packet: RtpOut): void;
  sendReport(ntp: bigint, rtp_timestamp: number): void;
  /** Ends the stream; the next offer says so, and a later stream of the same kind reuses its section. */
  stop(): void;
};

/** What the offer says of a stream: the two values of its `a=msid` (RFC 8830), and whether Opus is stereo. */
export type OutgoingOptions = { stream_id: string; track_id: string; stereo: boolean };

/** One media connection of a participant: the server answers publishers, and makes offers to subscribers. */
export type MediaConnection = {
  /**
   * Applies the peer's offer and creates the answer, as SDP.
   * @param audioParametersOf the audio parameters of the section whose msid names a track
   * @throws Error when the description cannot be applied
   */
  acceptOffer(offer: Description, audioParametersOf: (track_id: string | undefined) => AudioParameters): string;
  /** Creates an offer; `restart` renews the ICE credentials (RFC 8445, 9). */
  createOffer(restart: boolean): string;
  /** @throws Error when the description cannot be applied */
  acceptAnswer(answer: Description): void;
  addOutgoing(kind: MediaKind, options: OutgoingOptions): Outgoing;
  openDataChannel(label: string, reliable: boolean, onOpen: () => void): DataChannel;
  requestKeyFrame(ssrc: number): void;
  requestPackets(ssrc: number, sequences: number[]): void;
  sendReceiverReport(blocks: ReportBlock[]): void;
  /** Tells the publisher how much bandwidth it may use (REMB). */
  sendBandwidth(bits_per_second: number, ssrcs: number[]): void;
  /** When the peer last sent anything, in ms of `performance.now()`. */
  lastSeenAt(): number;
  close(): Promise<void>;
};

/** Creates media connections, all on the same ports. */
export type RtpEngine = { createConnection(events: ConnectionEvents): MediaConnection };
