/**
 * Every bound on what a client may send or hold, in one table, so that the README, the enforcement and the tests
 * read the same figures.
 */
export const LIMITS = {
  /** Largest signal frame in bytes; an SDP of 60 sections is about 100 kB. */
  signal_frame_bytes: 262_144,
  /** Largest session description in bytes. */
  sdp_bytes: 200_000,
  /** Most media sections in one description of a publisher. */
  sdp_sections: 40,
  /** Signal messages a second, and how many may come at once. */
  signal_messages_per_second: 50,
  signal_messages_burst: 200,
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
  data_packets_per_second: 500,
  data_packets_burst: 2_000,
  /** Bytes waiting on one receiver's lossy channel above which lossy packets are dropped. */
  lossy_buffered_bytes: 1_048_576,
  /** Bytes waiting on one receiver's reliable channel above which that receiver is disconnected. */
  reliable_buffered_bytes: 16_777_216,
  /** Reliable packets kept for a receiver whose channel is not yet open. */
  reliable_pending_packets: 256,
  identity_characters: 256,
  room_name_characters: 256,
  name_characters: 256,
  metadata_bytes: 65_536,
  attributes: 64,
  /** Body of a room-service request, in bytes. */
  request_body_bytes: 262_144,
  /** Bits a second that a publisher is told it may send for each video track (fixed REMB); enough for 720p in three layers. */
  remb_bps: 3_000_000,
  /** A picture-loss request for one layer is passed upstream at most this often. */
  pli_interval_ms: 500,
  speakers_interval_ms: 400,
  /** How often layers are chosen anew. */
  steer_interval_ms: 500,
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
  /** What peers are told at the end goes out within this time. */
  farewell_ms: 50,
  webhook_attempts: 5,
  webhook_timeout_ms: 5_000,
  /** Events that wait for a receiver which does not answer; the oldest are dropped beyond. */
  webhook_queue_events: 1_000,
} as const;

/** A token bucket: `take` answers whether one more message is allowed at `now_ms`. */
export type RateGate = { take(now_ms: number): boolean };

/**
 * Makes a token bucket.
 * @param per_second refill rate in tokens a second
 * @param burst size of the bucket in tokens
 */
export function createRateGate(per_second: number, burst: number): RateGate {
  let tokens = burst;
  let refilled_at_ms = 0;
  return {
    take(now_ms) {
      if (refilled_at_ms > 0) tokens = Math.min(burst, tokens + ((now_ms - refilled_at_ms) / 1000) * per_second);
      refilled_at_ms = now_ms;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
