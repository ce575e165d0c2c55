/**
 * Every bound on what a client may send or hold, in one table, so that the README, the enforcement and the tests
 * read the same figures.
 */
export const LIMITS = {
  /** Largest signal frame in bytes; an SDP of 60 sections is about 100 kB. */
  signal_frame_bytes: 262_144,
  /** Largest session description in bytes. */
  sdp_bytes: 200_000,
  /** Most media sections in one description of a publisher, and in an answer to what a subscriber was offered. */
  sdp_sections: 40,
  sdp_answered_sections: 500,
  /** Of one section: payload types, streams (three layers, each with its repair), layers; of a description: certificates. */
  sdp_formats: 128,
  sdp_ssrcs: 32,
  sdp_rids: 8,
  sdp_fingerprints: 8,
  /** Longest name in a description: of a section, a track, a codec, a layer. */
  sdp_word_characters: 512,
  /** Signal messages a second, and how many may come at once. */
  signal_messages_per_second: 50,
  signal_messages_burst: 200,
  /** Octets of them a second, and how many at once: twenty of the largest. */
  signal_bytes_per_second: 1_000_000,
  signal_bytes_burst: 4_000_000,
  /** The same for candidates, which clients gather anew for every section of an offer and which are not looked at. */
  trickles_per_second: 500,
  trickles_burst: 5_000,
  /** Signal messages waiting while an earlier one is still worked on. */
  signal_queue_messages: 256,
  /** Tracks that one participant may publish at the same time. */
  tracks_per_participant: 16,
  /** RTP streams (simulcast layers counted one by one) from one participant. */
  streams_per_participant: 64,
  participants_per_room: 200,
  /** In a room with more voices the loudest so many are heard; recorders hear all. */
  voices_heard: 12,
  rooms: 1_000,
  /** Identities of one room whose earlier tokens stay refused; the oldest are forgotten beyond. */
  barred_per_room: 10_000,
  /** How long the service may take to say whether somebody may join. */
  admission_timeout_ms: 5_000,
  /** Signal sockets that the gateway before a LiveKit server carries at once. */
  gateway_sockets: 10_000,
  /** Bytes that may wait for a slow end of such a socket before it is cut; the client resumes. */
  gateway_buffered_bytes: 1_048_576,
  /** Largest signal frame of a LiveKit server in bytes; it tells of everybody in a room. */
  gateway_frame_bytes: 4_194_304,
  /** How long the LiveKit server may take to answer a join, and how long a token made for one is good. */
  gateway_join_ms: 10_000,
  gateway_token_s: 30,
  /** Pause before the gateway is started again after it has failed. */
  gateway_restart_ms: 1_000,
  /** Largest data packet in bytes; LiveKit's own limit for one message is 64 kB. */
  data_packet_bytes: 65_536,
  /**
   * What one participant may send of data, in SCTP chunks (1,158 octets at most) and octets; more is not acknowledged, so
   * that a sender that keeps to SCTP slows down and loses nothing that is reliable.
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
  /** Bytes waiting for one receiver above which its lossy and its reliable packets are dropped. A chunk counts as full. */
  lossy_buffered_bytes: 262_144,
  reliable_buffered_bytes: 1_048_576,
  /** Bytes waiting for all receivers of a thread; above it those are dropped for who has more than its share. */
  data_buffered_bytes_total: 67_108_864,
  data_buffered_bytes_share: 65_536,
  data_count_interval_ms: 400,
  /** Reliable packets kept for a receiver whose channel is not yet open, and their bytes. */
  reliable_pending_packets: 256,
  reliable_pending_bytes: 262_144,
  /** DTLS records of one connection, which carry data and its acknowledgements. */
  dtls_records_per_second: 1_000,
  dtls_records_burst: 3_000,
  /** Of one association: streams and channels, chunks ahead of the next one, chunks of messages that are not whole. */
  sctp_streams: 64,
  data_channels: 16,
  sctp_window_chunks: 256,
  sctp_waiting_chunks: 1_024,
  identity_characters: 256,
  room_name_characters: 256,
  name_characters: 256,
  /** What a client says of a track that it announces: its own name for it, its sizes, and what its sound is. */
  track_cid_characters: 256,
  track_layers: 3,
  track_audio_features: 16,
  /** Tracks that one request may name: as many as a room of 200 with a voice, a camera and a screen each. */
  tracks_per_request: 1_000,
  metadata_bytes: 65_536,
  attributes: 64,
  /** Body of a room-service request, in bytes. */
  request_body_bytes: 262_144,
  /** HTTP: the whole request and its headers must have arrived after so long, which is looked at so often. */
  request_timeout_ms: 15_000,
  headers_timeout_ms: 10_000,
  late_check_ms: 1_000,
  /** An idle connection is kept longer than the usual minute of a proxy, so that the proxy closes first. */
  keep_alive_timeout_ms: 72_000,
  /** Connections open at once (fewer where the system grants fewer descriptors), and those of one address. */
  connections: 10_000,
  connections_per_address: 500,
  /** Connections too many that are answered at the same time, and how long they have to ask. */
  connections_refused: 64,
  refusal_ms: 250,
  /** Signal sockets of one address, which may be a whole school's, and of one identity. */
  signal_sockets_per_address: 400,
  signal_sockets_per_identity: 4,
  /** New signal sockets a second, and how many at once; and how many addresses and identities this is remembered of. */
  joins_per_second_of_address: 50,
  joins_burst_of_address: 400,
  joins_per_second_of_identity: 5,
  joins_burst_of_identity: 30,
  rates_kept: 10_000,
  /** Bytes of signals that a client does not read, above which its socket is cut; it can resume. */
  signal_buffered_bytes: 4_194_304,
  /** Bits a second that a publisher is told it may send for each video track (fixed REMB); enough for 720p in three layers. */
  remb_bps: 3_000_000,
  /** A picture-loss request for one layer is passed upstream at most this often. */
  pli_interval_ms: 500,
  speakers_interval_ms: 400,
  /** How often lines are graded, and after how long without a sign of life one counts as lost. */
  quality_interval_ms: 2_000,
  line_lost_ms: 6_000,
  /** How often layers are chosen anew. */
  allocation_interval_ms: 500,
  /** What the join response tells the client about signal pings. */
  ping_interval_s: 5,
  ping_timeout_s: 15,
  /** How long a token is good that a client is sent in place of its own, and how often it is sent one. */
  renewed_token_s: 300,
  token_renewal_ms: 120_000,
  /** A signal socket that is silent for so long is closed. */
  signal_silence_ms: 12_000,
  /** A media connection without any datagram for so long counts as gone. Browsers check consent every 2.5 s. */
  media_silence_ms: 8_000,
  /** A participant without a socket stays at least this long, so that it can resume. */
  resume_window_ms: 10_000,
  /** A participant whose media never connects is removed after this time. */
  join_timeout_ms: 20_000,
  /** Addresses that one media connection may have at the same time. */
  paths_per_connection: 16,
  /** Connections over TCP, those from one address, their largest frame, and what may wait on one before packets are dropped. */
  tcp_connections: 1_000,
  tcp_connections_per_address: 100,
  tcp_frame_bytes: 4_096,
  tcp_buffered_bytes: 262_144,
  /** A connection over TCP that names nobody, and one that says nothing, are cut off after these times. */
  tcp_nameless_ms: 10_000,
  tcp_silence_ms: 30_000,
  /** A thread or process of media that failed is started again after this wait, which doubles while it fails soon. */
  restart_delay_ms: 200,
  restart_delay_max_ms: 10_000,
  restart_stable_ms: 60_000,
  /** How often a media process tells its counts, and how often it is looked whether it did; after so many looks it is ended. */
  stats_interval_ms: 500,
  process_check_ms: 5_000,
  process_silent_checks: 4,
  /** How long it may take to end, and how long a port may still be held by one that has just ended. */
  process_close_ms: 5_000,
  port_wait_ms: 1_500,
  /** Connections that wait while it starts. */
  connections_waiting: 512,
  /** Errors of one connection are logged at most this often. */
  error_log_interval_ms: 10_000,
  /** What peers are told at the end goes out within this time. */
  farewell_ms: 50,
  webhook_attempts: 5,
  webhook_timeout_ms: 5_000,
  /** Events that wait for a receiver which does not answer; the oldest are dropped beyond. */
  webhook_queue_events: 1_000,
} as const;

/** A token bucket: `take` answers whether one more message, or what else costs so many tokens, is allowed at `now_ms`. */
export type RateGate = { take(now_ms: number, cost?: number): boolean };

/**
 * Makes a token bucket.
 * @param per_second refill rate in tokens a second
 * @param burst size of the bucket in tokens
 */
export function createRateGate(per_second: number, burst: number): RateGate {
  let tokens = burst;
  let refilled_at_ms = 0;
  return {
    take(now_ms, cost = 1) {
      if (refilled_at_ms > 0) tokens = Math.min(burst, tokens + ((now_ms - refilled_at_ms) / 1000) * per_second);
      refilled_at_ms = now_ms;
      // What costs more than the whole bucket passes when that is full, and leaves a debt.
      if (tokens < Math.min(cost, burst)) return false;
      tokens -= cost;
      return true;
    },
  };
}
