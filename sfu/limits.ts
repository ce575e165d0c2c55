/**
 * All limits on what clients may send or hold, in one table, so that the README, the code and the tests use the same
 * numbers.
 */
export const LIMITS = {
  /** Signal frame, in bytes; an SDP of 60 sections is about 100 kB. */
  signal_frame_bytes: 262_144,
  /** Session description, in bytes. */
  sdp_bytes: 200_000,
  /** Media sections in a publisher's description, and in an answer to a subscriber's offer. */
  sdp_sections: 40,
  sdp_answered_sections: 500,
  /** In one section: payload types, streams (three layers, each with RTX), layers; in a description: certificates. */
  sdp_formats: 128,
  sdp_ssrcs: 32,
  sdp_rids: 8,
  sdp_fingerprints: 8,
  /** The length of identifiers in a description: of a section, a track, a codec, a layer. */
  sdp_word_characters: 512,
  /** Signal messages per second, and in a burst. */
  signal_messages_per_second: 50,
  signal_messages_burst: 200,
  /** Bytes of signal messages per second, and in a burst: twenty of the largest. */
  signal_bytes_per_second: 1_000_000,
  signal_bytes_burst: 4_000_000,
  /** ICE candidates per second, and in a burst: clients gather them for every section of an offer, and they are ignored. */
  trickles_per_second: 500,
  trickles_burst: 5_000,
  /** Signal messages queued while an earlier one is being processed. */
  signal_queue_messages: 256,
  /**
   * Updates of participants (muted, published) that are sent to all of a room at once, a second and in a burst: of one
   * participant, and of all. More waits, and is sent together at this interval.
   */
  updates_per_second: 2,
  updates_burst: 20,
  updates_per_second_of_room: 50,
  updates_burst_of_room: 400,
  updates_interval_ms: 500,
  /** Tracks that one participant starts and ends, a second and in a burst: each means an offer to everybody. */
  track_changes_per_second: 1,
  track_changes_burst: 64,
  /** Tracks published by one participant at the same time. */
  tracks_per_participant: 16,
  /** RTP streams of one participant, counting each simulcast layer. */
  streams_per_participant: 64,
  /** A DTLS handshake message, in bytes (certificates of browsers have about 300), and fragments that wait for the rest. */
  handshake_message_bytes: 16_384,
  handshake_fragments: 64,
  /**
   * Of one connection: requests for the cookie a second, messages put together from fragments, signatures checked, and
   * messages that may be the one which a signature is about.
   */
  hello_answers_per_second: 20,
  hello_answers_burst: 20,
  handshake_assemblies_per_second: 100,
  handshake_checks_per_second: 5,
  handshake_checks_burst: 64,
  handshake_candidates: 8,
  /**
   * RTP packets per second, and in a burst: of one stream (Opus sends 50 to 100, and a camera of 1080p about 500), and
   * of one participant; and bytes of one video stream (12 Mbit/s).
   */
  audio_packets_per_second: 400,
  video_packets_per_second: 3_000,
  video_bytes_per_second: 1_500_000,
  rtp_packets_per_second: 6_000,
  /**
   * Packets to receivers a second: of one room, and of all in one thread. One costs 24 to 29 µs, so that these are about
   * 0.75 and 0.85 of a core. Twelve people with cameras who all see each other in 360p are 15,000, and two hundred who
   * receive three voices are 30,000.
   */
  forwarded_packets_per_second: 30_000,
  forwarded_packets_per_second_total: 33_000,
  /**
   * Packets received a second: of one room, and of all in one thread, of any kind. Two hundred people who all talk send
   * 10,000, and a camera in three layers about 350. Nobody who sends less than an equal share loses anything.
   */
  received_packets_per_second: 15_000,
  received_packets_per_second_total: 20_000,
  participants_per_room: 200,
  /** In a room with more voices the loudest ones are forwarded; recorders get all. */
  top_speakers: 12,
  rooms: 1_000,
  /** Removed identities of one room whose earlier tokens are refused; beyond that the oldest are forgotten. */
  barred_per_room: 10_000,
  /** Time limit of an admission request. */
  admission_timeout_ms: 5_000,
  /** Signal sockets that the gateway to a LiveKit server carries at once. */
  gateway_sockets: 10_000,
  /** Bytes buffered for a slow end of such a socket before it is closed; the client resumes. */
  gateway_buffered_bytes: 1_048_576,
  /** Signal frame of a LiveKit server, in bytes; it may describe everybody in a room. */
  gateway_frame_bytes: 4_194_304,
  /** Time limit of joining the LiveKit server, and lifetime of the token made for it. */
  gateway_join_ms: 10_000,
  gateway_token_s: 30,
  /** The delay before a failed gateway is restarted. */
  gateway_restart_ms: 1_000,
  /** Data packet, in bytes; LiveKit's own limit for a message is 64 kB. */
  data_packet_bytes: 65_536,
  /**
   * The data rate of one participant, in SCTP chunks (1,158 bytes at most) and bytes; more is not acknowledged, so
   * that a conforming SCTP sender slows down and loses nothing reliable.
   */
  data_chunks_per_second: 200,
  data_chunks_burst: 400,
  data_bytes_per_second: 131_072,
  data_bytes_burst: 524_288,
  /** Chunks times receivers: of one participant, and of all in one thread. */
  data_deliveries_per_second: 1_000,
  data_deliveries_burst: 4_000,
  data_deliveries_per_second_total: 3_000,
  data_deliveries_burst_total: 6_000,
  /**
   * Bytes buffered for one receiver above which its lossy, and its reliable, packets are dropped. A chunk counts as
   * full.
   */
  lossy_buffered_bytes: 262_144,
  reliable_buffered_bytes: 1_048_576,
  /**
   * Bytes buffered for all receivers of a thread; above that packets are dropped for receivers with more than their
   * share.
   */
  data_buffered_bytes_total: 67_108_864,
  data_buffered_bytes_share: 65_536,
  data_count_interval_ms: 400,
  /** Reliable packets, and their bytes, buffered for a receiver whose channel is not open yet. */
  reliable_pending_packets: 256,
  reliable_pending_bytes: 262_144,
  /** Authentic DTLS records of one connection, which carry data and acknowledgements; and those of handshakes. */
  dtls_records_per_second: 1_000,
  dtls_records_burst: 3_000,
  dtls_handshake_records_per_second: 1_000,
  dtls_handshake_records_burst: 3_000,
  /**
   * Packets of one connection that turn out not to be authentic, so that their address may be forged. They take nothing
   * from the budgets of the peer; above this only packets of sources that have been authentic before are decrypted.
   */
  forged_per_second: 500,
  forged_burst: 1_000,
  /** Sources of RTCP that one connection remembers as authentic. */
  rtcp_sources: 64,
  /** How far a DTLS record may be behind or ahead of the newest authentic one then: by as many as were sent and lost. */
  dtls_records_window: 256,
  /**
   * Authentic RTCP datagrams of one connection, which carry requests and reports of all its streams; the bytes of one, which fit
   * into an MTU (RFC 3550, 6.1); and the packets in it.
   */
  rtcp_per_second: 500,
  rtcp_burst: 1_000,
  rtcp_bytes: 1_500,
  rtcp_packets: 32,
  /** The interval at which sender reports of one stream are forwarded; senders report about once a second. */
  sender_report_interval_ms: 500,
  /** In one SCTP association: streams and channels, chunks ahead of the next one, chunks of incomplete messages. */
  sctp_streams: 64,
  data_channels: 16,
  sctp_window_chunks: 256,
  sctp_waiting_chunks: 1_024,
  identity_characters: 256,
  room_name_characters: 256,
  name_characters: 256,
  /** Fields of a track announcement: its client id, its dimensions, and its audio features. */
  track_cid_characters: 256,
  track_layers: 3,
  track_audio_features: 16,
  /** Tracks in one request: enough for a room of 200 with a voice, a camera and a screen each. */
  tracks_per_request: 1_000,
  metadata_bytes: 65_536,
  attributes: 64,
  /** The body of a room-service request, in bytes. */
  request_body_bytes: 262_144,
  /** HTTP: time limits for the whole request and for its headers, and the interval of the check. */
  request_timeout_ms: 15_000,
  headers_timeout_ms: 10_000,
  late_check_ms: 1_000,
  /** Keep-alive time; longer than the usual minute of a proxy, so that the proxy closes first. */
  keep_alive_timeout_ms: 72_000,
  /**
   * Open connections (fewer if the system grants fewer descriptors), and those of one address. Here and below, all
   * addresses of an IPv6 /48 count as one.
   */
  connections: 10_000,
  connections_per_address: 500,
  /** Excess connections that are answered at the same time, and how long they have to send a request. */
  connections_refused: 64,
  refusal_ms: 250,
  /** Signal sockets of one address, which may be that of a whole school, and of one identity. */
  signal_sockets_per_address: 400,
  signal_sockets_per_identity: 4,
  /** New signal sockets per second, and in a burst; and the number of addresses and identities tracked. */
  joins_per_second_of_address: 50,
  joins_burst_of_address: 400,
  joins_per_second_of_identity: 5,
  joins_burst_of_identity: 30,
  rates_kept: 10_000,
  /** Unread signal bytes above which a client's socket is closed; it can resume. */
  signal_buffered_bytes: 4_194_304,
  /**
   * The bandwidth offered to a publisher per video track, in bits per second (fixed REMB); enough for 720p in three
   * layers.
   */
  remb_bps: 3_000_000,
  /** The minimum interval between key frame requests for one layer. */
  pli_interval_ms: 500,
  /** The key frames of a track that one receiver may cause, and of a layer that all may, except the first of each. */
  key_frames_per_second_of_receiver: 0.5,
  key_frames_burst_of_receiver: 6,
  key_frames_per_second_of_layer: 1,
  key_frames_burst_of_layer: 20,
  speakers_interval_ms: 400,
  /** The interval of connection quality updates, and the silence after which a connection counts as lost. */
  quality_interval_ms: 2_000,
  connection_lost_ms: 6_000,
  /** The interval of layer allocation. */
  allocation_interval_ms: 500,
  /** The ping settings in the join response. */
  ping_interval_s: 5,
  ping_timeout_s: 15,
  /** The lifetime of renewed tokens, and the interval of renewal. */
  renewed_token_s: 300,
  token_renewal_ms: 120_000,
  /** A silent signal socket is closed after this time. */
  signal_silence_ms: 12_000,
  /** A media connection without any datagram counts as lost after this time. Browsers check consent every 2.5 s. */
  media_silence_ms: 8_000,
  /** The minimum time for which a participant without a socket is kept, so that it can resume. */
  resume_window_ms: 10_000,
  /** A participant whose media never connects is removed after this time. */
  join_timeout_ms: 20_000,
  /** Remote addresses of one media connection at the same time. */
  paths_per_connection: 16,
  /** Checks of one connection that are recognised when they are repeated from another address. */
  checks_remembered: 256,
  /**
   * TCP connections, those of one address, their frame size, and the bytes buffered on one before packets are dropped.
   */
  tcp_connections: 1_000,
  tcp_connections_per_address: 100,
  tcp_frame_bytes: 4_096,
  tcp_buffered_bytes: 262_144,
  /** Time limits for a TCP connection to identify itself, and for silence. */
  tcp_unidentified_ms: 10_000,
  tcp_silence_ms: 30_000,
  /** The delay before a failed media thread or process is restarted; doubled while it fails soon. */
  restart_delay_ms: 200,
  restart_delay_max_ms: 10_000,
  restart_stable_ms: 60_000,
  /**
   * The interval at which a media process reports its counters, that of the health check, and the number of missed
   * checks after which it is killed.
   */
  stats_interval_ms: 500,
  process_check_ms: 5_000,
  process_silent_checks: 4,
  /** Time limits for it to exit, and for the port of a process that has just exited to become free. */
  process_close_ms: 5_000,
  port_wait_ms: 1_500,
  /** Connections queued while it starts. */
  connections_waiting: 512,
  /** The minimum interval between logged errors of one connection. */
  error_log_interval_ms: 10_000,
  /** Time limit for the last messages to peers. */
  final_message_ms: 50,
  webhook_attempts: 5,
  webhook_timeout_ms: 5_000,
  /** Webhook events queued for a receiver that does not answer; beyond that the oldest are dropped. */
  webhook_queue_events: 1_000,
} as const;

/**
 * A token bucket: `take` returns whether another message, or something of a higher cost, is allowed at `now_ms`; `has`
 * returns the same and consumes nothing.
 */
export type RateGate = { take(now_ms: number, cost?: number): boolean; has(now_ms: number, cost?: number): boolean };

/**
 * Creates a token bucket.
 * @param per_second refill rate in tokens per second
 * @param burst capacity in tokens
 */
export function createRateGate(per_second: number, burst: number): RateGate {
  let tokens = burst;
  let refilled_at_ms = 0;
  const has = (now_ms: number, cost = 1) => {
    if (refilled_at_ms > 0) tokens = Math.min(burst, tokens + ((now_ms - refilled_at_ms) / 1000) * per_second);
    refilled_at_ms = now_ms;
    // Something that costs more than the capacity passes when the bucket is full, and leaves a debt.
    return tokens >= Math.min(cost, burst);
  };
  return {
    has,
    take(now_ms, cost = 1) {
      if (!has(now_ms, cost)) return false;
      tokens -= cost;
      return true;
    },
  };
}
