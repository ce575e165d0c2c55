import type { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { createRateGate, LIMITS } from '../limits.ts';
import { PacketBudget } from './packet-budget.ts';
import { SenderBudget } from './receive-budget.ts';
import { PublishedTrack, type TrackLayer } from './published-track.ts';
import type { Feedback, MediaConnection, MediaKind, RtpIn, AudioParameters } from './rtp-engine.ts';
import type { MediaSection } from '../sdp/sdp.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** The level of silence (RFC 6464). */
const SILENCE_DB = 127;

/** Records the audio level of a packet, and decides whether it is forwarded. */
export type RecordLevel = (track: PublishedTrack, level_db: number, now_ms: number) => boolean;

/** The receiving side of a participant's media: assigns streams to tracks, requests lost packets, sends reports. */
export class Publisher {
  readonly tracks = new Map<string, PublishedTrack>();
  readonly #connection: MediaConnection;
  readonly #by_ssrc = new Map<number, { track: PublishedTrack; layer: TrackLayer }>();
  readonly #ssrc_mid = new Map<number, string>();
  readonly #recordLevel: RecordLevel;
  readonly #packets: PacketBudget;
  readonly #received: SenderBudget;
  readonly #packet_gate = createRateGate(LIMITS.rtp_packets_per_second, LIMITS.rtp_packets_per_second);
  #reported_at_ms = 0;
  /** The fraction of packets lost within the last second, of the worst stream, 0 to 1. */
  lost_share = 0;
  readonly traffic: Traffic = createTraffic();

  /**
   * @param packets what the room may forward
   * @param received what may be received of the participant
   */
  constructor(
    connection: MediaConnection,
    recordLevel: RecordLevel,
    packets: PacketBudget = new PacketBudget(),
    received: SenderBudget = new SenderBudget(),
  ) {
    this.#connection = connection;
    this.#recordLevel = recordLevel;
    this.#packets = packets;
    this.#received = received;
  }

  addTrack(request: AddTrackRequest, info: TrackInfo, kind: MediaKind): PublishedTrack {
    const track = new PublishedTrack(info, request.cid, kind, this.#connection);
    this.tracks.set(info.sid, track);
    return track;
  }

  /**
   * Binds the media sections of an offer to announced tracks: by msid track id = cid, and where no track has that cid,
   * as with Firefox, which uses its own ids, to the first announced and unbound track of the kind.
   * @returns the tracks that the offer started and those that it ended
   */
  bindSections(sections: MediaSection[]): { started: PublishedTrack[]; ended: PublishedTrack[] } {
    const started: PublishedTrack[] = [];
    // An offer describes everything that is sent, and replaces earlier ones, which would otherwise accumulate.
    this.#ssrc_mid.clear();
    const named = new Set(sections.map(({ track_id }) => track_id));
    for (const section of sections.filter((entry) => entry.sends)) {
      for (const ssrc of section.ssrcs) this.#ssrc_mid.set(ssrc, section.mid);
      if ([...this.tracks.values()].some((other) => other.mid === section.mid)) continue;
      const waiting = [...this.tracks.values()].filter(({ mid, kind }) => mid === undefined && kind === section.kind);
      const track = waiting.find(({ cid }) => cid === section.track_id) ?? waiting.find(({ cid }) => !named.has(cid));
      if (!track) continue;
      track.mid = section.mid;
      track.info.mid = section.mid;
      started.push(track);
    }
    const sending = new Set(sections.filter((entry) => entry.sends).map((entry) => entry.mid));
    const ended = [...this.tracks.values()].filter((track) => track.mid !== undefined && !sending.has(track.mid));
    return { started, ended };
  }

  /** The requested encoding of the microphone that was announced under a cid. */
  audioParametersOf(cid: string | undefined): AudioParameters {
    const sounds = [...this.tracks.values()].filter(({ kind }) => kind === 'audio');
    const info = (sounds.find((track) => track.cid === cid) ?? sounds.find(({ mid }) => mid === undefined))?.info;
    return { dtx: info ? !info.disableDtx : true, stereo: info?.stereo ?? false, red: info ? !info.disableRed : false };
  }

  removeTrack(track: PublishedTrack): void {
    this.tracks.delete(track.info.sid);
    for (const ssrc of track.layers.keys()) this.#by_ssrc.delete(ssrc);
    for (const [ssrc, mid] of this.#ssrc_mid) if (mid === track.mid) this.#ssrc_mid.delete(ssrc);
  }

  #route(packet: RtpIn, now_ms: number) {
    const known = this.#by_ssrc.get(packet.ssrc);
    if (known) return known;
    const mid = packet.mid ?? this.#ssrc_mid.get(packet.ssrc);
    if (mid === undefined || this.#by_ssrc.size >= LIMITS.streams_per_participant) return undefined;
    for (const track of this.tracks.values()) {
      if (track.mid !== mid) continue;
      const entry = { track, layer: track.addLayer(packet.ssrc, packet.rid, now_ms) };
      this.#by_ssrc.set(packet.ssrc, entry);
      if (track.kind === 'video') this.#stateBandwidth();
      return entry;
    }
    return undefined;
  }

  /** Whether a datagram would be within the budgets of its stream, the participant and the room. Takes nothing from them. */
  mayAdmitRtp(ssrc: number, bytes: number): boolean {
    const now_ms = performance.now();
    const known = this.#by_ssrc.get(ssrc);
    const may_admit =
      (!known || known.layer.budget.has(now_ms, bytes)) && this.#packet_gate.has(now_ms) && this.#received.has(now_ms);
    if (!may_admit) this.traffic.refused_in++;
    return may_admit;
  }

  /** Takes a datagram from the budgets of its stream, the participant and the room. @returns whether it is within them */
  admitRtp(ssrc: number, bytes: number): boolean {
    const now_ms = performance.now();
    const known = this.#by_ssrc.get(ssrc);
    // The stream first, so that one above its budget takes nothing from the others.
    const is_admitted =
      (!known || known.layer.budget.take(now_ms, bytes)) &&
      this.#packet_gate.take(now_ms) &&
      this.#received.take(now_ms);
    if (!is_admitted) this.traffic.refused_in++;
    return is_admitted;
  }

  receiveRtp(packet: RtpIn): void {
    const now_ms = performance.now();
    this.traffic.packets_in++;
    const found = this.#route(packet, now_ms);
    if (!found) return;
    const { track, layer } = found;
    layer.last_packet_at_ms = now_ms;
    layer.bytes += packet.payload.length;
    layer.packets++;
    this.traffic.bytes_in += packet.payload.length;
    if (!layer.reception.add(packet.sequence, packet.timestamp, now_ms)) return;
    if (layer.reception.takeRestart()) for (const forwarder of track.forwarders) forwarder.restart(layer);
    if (track.info.muted) {
      for (const forwarder of track.forwarders) forwarder.drop();
      return;
    }
    // Without a level a voice competes as silence: it may fill a place, and displaces nobody.
    const is_forwarded = track.kind === 'video' || this.#recordLevel(track, packet.level_db ?? SILENCE_DB, now_ms);
    // For all receivers or for none, so that none of them is always the one who is left out.
    const is_within_budget = this.#packets.admits(track.rank);
    let sent = 0;
    for (const forwarder of track.forwarders) {
      if (!is_within_budget || (!is_forwarded && !forwarder.hears_all)) forwarder.drop();
      else if (forwarder.forward(packet, layer, now_ms)) sent++;
    }
    this.#packets.take(sent);
    this.traffic.packets_out += sent;
    this.traffic.bytes_out += sent * packet.payload.length;
    if (!is_within_budget && is_forwarded) this.traffic.shed_out += track.forwarders.size;
  }

  receiveFeedback(feedback: Feedback): void {
    if (feedback.type !== 'sender-report') return;
    const found = this.#by_ssrc.get(feedback.ssrc);
    if (!found) return;
    const now_ms = performance.now();
    found.layer.reception.updateSenderReport(feedback.ntp, now_ms);
    found.layer.report = feedback;
    this.#passReport(found, now_ms);
  }

  /** Forwards the newest sender report of a stream, at a rate that the sender cannot raise. */
  #passReport({ track, layer }: { track: PublishedTrack; layer: TrackLayer }, now_ms: number): void {
    if (!layer.report || now_ms - layer.reported_at_ms < LIMITS.sender_report_interval_ms) return;
    const { ntp, rtp_timestamp } = layer.report;
    layer.report = undefined;
    layer.reported_at_ms = now_ms;
    for (const forwarder of track.forwarders) forwarder.sendReport(layer, ntp, rtp_timestamp);
  }

  /** Browsers distribute the stated bandwidth among their tracks, so that it grows with the number of video tracks. */
  #stateBandwidth(): void {
    const video = [...this.#by_ssrc.values()].filter(({ track }) => track.kind === 'video');
    if (video.length === 0) return;
    const tracks = new Set(video.map(({ track }) => track));
    const ssrcs = video.map(({ layer }) => layer.ssrc);
    this.#connection.sendBandwidth(LIMITS.remb_bps * tracks.size, ssrcs);
  }

  /**
   * To be called about every 30 ms: requests lost video packets, forwards sender reports that were early, and once a
   * second sends reports and the bandwidth (REMB).
   */
  tick(now_ms: number): void {
    for (const entry of this.#by_ssrc.values()) {
      const { track, layer } = entry;
      this.#passReport(entry, now_ms);
      const due = layer.reception.due(now_ms);
      // Lost audio is repaired by Opus FEC; a retransmission would come too late.
      if (due.length > 0 && track.kind === 'video') this.#connection.requestPackets(layer.ssrc, due);
    }
    if (now_ms - this.#reported_at_ms < 1_000 || this.#by_ssrc.size === 0) return;
    const seconds = Math.min(5, (now_ms - this.#reported_at_ms) / 1000);
    this.#reported_at_ms = now_ms;
    for (const { layer } of this.#by_ssrc.values()) {
      layer.bits_per_second = (layer.bytes * 8) / seconds;
      if (layer.packets > 0) layer.packets_per_second = layer.packets / seconds;
      layer.bytes = 0;
      layer.packets = 0;
    }
    const blocks = [...this.#by_ssrc.values()].map(({ layer }) => layer.reception.report(now_ms));
    const lost = new Map<PublishedTrack, number>();
    for (const { ssrc, fraction_lost } of blocks) {
      const track = this.#by_ssrc.get(ssrc)?.track;
      if (track) lost.set(track, Math.max(lost.get(track) ?? 0, fraction_lost / 256));
    }
    for (const [track, share] of lost) track.setLoss(share);
    this.lost_share = Math.max(0, ...[...this.tracks.values()].map((track) => track.lost_share));
    this.#connection.sendReceiverReport(blocks);
    this.traffic.lost_in += blocks.reduce((sum, { lost_since }) => sum + lost_since, 0);
    this.#stateBandwidth();
    for (const { track } of this.#by_ssrc.values())
      for (const forwarder of track.forwarders) forwarder.requestKeyFrameIfNeeded();
  }
}
