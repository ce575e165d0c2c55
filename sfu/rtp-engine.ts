/**
 * The seam between the rooms and whatever moves RTP. Nothing outside `rtp-engine.*.ts` imports a WebRTC package, so
 * that another engine can take the place of the present one.
 */
export type MediaKind = 'audio' | 'video';

/** One RTP packet (RFC 3550) as it came from a publisher, decrypted, with the header extensions that matter here. */
export type RtpIn = {
  ssrc: number;
  payload_type: number;
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
export type RtpOut = { sequence: number; timestamp: number; marker: boolean; payload: Buffer };

/** What a receiver of our packets asks for, and a publisher's sender report. */
export type Feedback =
  | { type: 'nack'; ssrc: number; sequences: number[] }
  | { type: 'picture-loss'; ssrc: number }
  | { type: 'sender-report'; ssrc: number; ntp: bigint; rtp_timestamp: number };

/** Figures of a receiver report block (RFC 3550, 6.4.1). */
export type ReportBlock = {
  ssrc: number;
  fraction_lost: number;
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
};

export type DataChannel = { isOpen(): boolean; bufferedBytes(): number; send(data: Buffer): void };

/** One stream towards a subscriber: one media section of the offer. */
export type Outgoing = {
  readonly ssrc: number;
  /** The media section's mid, known once an offer was made. */
  mid(): string | undefined;
  send(packet: RtpOut): void;
  sendReport(ntp: bigint, rtp_timestamp: number): void;
  /** Ends the stream; the next offer closes its section. */
  stop(): void;
};

export type MediaConnection = {
  /** Applies the peer's offer and makes the answer. Throws when the description cannot be used. */
  acceptOffer(sdp: string): Promise<string>;
  /** Makes an offer; `restart` renews the ICE credentials (RFC 8445, 9). */
  createOffer(restart: boolean): Promise<string>;
  acceptAnswer(sdp: string): Promise<void>;
  addOutgoing(kind: MediaKind, stream_id: string, track_id: string): Outgoing;
  openDataChannel(label: string, reliable: boolean, onOpen: () => void): DataChannel;
  requestKeyFrame(ssrc: number): void;
  requestPackets(ssrc: number, sequences: number[]): void;
  sendReceiverReport(blocks: ReportBlock[]): void;
  /** Tells the publisher how much it may send (REMB). */
  sendBandwidth(bits_per_second: number, ssrcs: number[]): void;
  /** When the last datagram of any kind came, in ms of `performance.now()`. */
  lastSeenAt(): number;
  close(): Promise<void>;
};

export type EngineOptions = {
  /** The address that clients are told to send to; undefined announces every address of the machine. */
  node_ip: string | undefined;
};

export type RtpEngine = { createConnection(events: ConnectionEvents): MediaConnection };
