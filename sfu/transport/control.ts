/** RTCP (RFC 3550, RFC 4585): parsing of peers' packets, and writing our own. */
import type { RtcpPacket } from 'werift';
import type { Feedback, ReportBlock } from '../forwarding/rtp-engine.ts';
import { createRateGate, LIMITS, type RateGate } from '../limits.ts';
import { ReplayWindow } from './replay-window.ts';
import type * as WeriftModule from 'werift';

/** The module of werift, which is loaded with the first connection. */
export type Werift = typeof WeriftModule;

/** The SSRC of our own reports; no stream uses it. */
const REPORTER_SSRC = 1;
/** The report count has five bits. */
const BLOCKS_PER_REPORT = 31;

/** The packet types that are parsed: reports, and the negotiated feedback (RFC 4585, RFC 5104). */
const REPORTS: ReadonlySet<number> = new Set([200, 201]);
const FEEDBACK: Record<number, ReadonlySet<number>> = { 205: new Set([1]), 206: new Set([1, 4, 15]) };

/**
 * Parses a compound packet, one packet at a time: werift uses a length only to find the next packet, so that a thousand
 * short ones would each be parsed to the end. Unreadable packets are skipped, and those above the limit.
 */
export function readControl({ RtcpPacketConverter }: Werift, data: Buffer): RtcpPacket[] {
  const packets: RtcpPacket[] = [];
  for (let at = 0, found = 0; at + 4 <= data.length && found < LIMITS.rtcp_packets; found++) {
    const end = at + 4 + data.readUInt16BE(at + 2) * 4;
    if (end > data.length) break;
    const [count, type] = [(data[at] as number) & 0x1f, data[at + 1] as number];
    if (REPORTS.has(type) || FEEDBACK[type]?.has(count))
      packets.push(...RtcpPacketConverter.deSerialize(data.subarray(at, end)));
    at = end;
  }
  return packets;
}

/** The common header of RTCP and the SSRC of its sender, which are never encrypted (RFC 3711, 3.4). */
const HEAD_BYTES = 8;
/** The packet index with the flag of encryption, and the tag, which AES-GCM puts before it (RFC 7714, 9.1). */
const INDEX_BYTES = 4;
const HMAC_TAG_BYTES = 10;

/** The decryption of one peer's RTCP; `decrypt` throws for a datagram that is not authentic. */
export type ControlCipher = { decrypt(data: Buffer): Buffer; is_gcm: boolean };

/**
 * Creates the reader of one peer's RTCP datagrams, which ignores those above the limits before it decrypts them. Only
 * authentic ones count, and each once.
 * @param forgeries the budget of the connection for such datagrams
 * @param received the budget of the participant for packets of all kinds
 */
export function createControlReader(
  werift: Werift,
  cipher: () => ControlCipher,
  forgeries: RateGate,
  received: RateGate,
): (data: Buffer) => RtcpPacket[] {
  const gate = createRateGate(LIMITS.rtcp_per_second, LIMITS.rtcp_burst);
  const known = new Map<number, ReplayWindow>();
  return (data) => {
    const now_ms = performance.now();
    if (data.length < HEAD_BYTES || data.length > LIMITS.rtcp_bytes) return [];
    if (!gate.has(now_ms) || !received.has(now_ms)) return [];
    const { decrypt, is_gcm } = cipher();
    const index_at = data.length - INDEX_BYTES - (is_gcm ? 0 : HMAC_TAG_BYTES);
    if (index_at < HEAD_BYTES) return [];
    const index = data.readUInt32BE(index_at) & 0x7fffffff;
    const source = data.readUInt32BE(4);
    const window = known.get(source) ?? new ReplayWindow();
    if (!window.mayBeNew(index) || (!known.has(source) && !forgeries.has(now_ms))) return [];
    let plain: Buffer;
    try {
      plain = decrypt(data);
    } catch {
      forgeries.take(now_ms);
      return [];
    }
    gate.take(now_ms);
    received.take(now_ms);
    window.update(index);
    if (!known.has(source) && known.size >= LIMITS.rtcp_sources) known.clear();
    known.set(source, window);
    try {
      return readControl(werift, plain);
    } catch {
      return [];
    }
  };
}

/** The relevant content of an RTCP packet. */
export function readFeedback(werift: Werift, packet: RtcpPacket): Feedback[] {
  const { RtcpSrPacket, RtcpRrPacket, RtcpTransportLayerFeedback, RtcpPayloadSpecificFeedback } = werift;
  if (packet instanceof RtcpSrPacket) {
    const { ntpTimestamp: ntp, rtpTimestamp: rtp_timestamp } = packet.senderInfo;
    return [{ type: 'sender-report', ssrc: packet.ssrc, ntp, rtp_timestamp }];
  }
  if (packet instanceof RtcpRrPacket)
    return packet.reports.map(({ ssrc, fractionLost }) => ({ type: 'loss', ssrc, share: fractionLost / 256 }));
  if (packet instanceof RtcpTransportLayerFeedback) {
    const { feedback } = packet;
    if (!(feedback instanceof werift.GenericNack)) return [];
    return [
      { type: 'nack', ssrc: feedback.mediaSourceSsrc, sequences: feedback.lost.map((sequence) => sequence & 0xffff) },
    ];
  }
  if (!(packet instanceof RtcpPayloadSpecificFeedback)) return [];
  const { feedback } = packet;
  if (feedback instanceof werift.PictureLossIndication) return [{ type: 'picture-loss', ssrc: feedback.mediaSsrc }];
  if (feedback instanceof werift.ReceiverEstimatedMaxBitrate)
    return [{ type: 'bandwidth', bits_per_second: Number(feedback.bitrate) }];
  // Unknown feedback types are ignored.
  return feedback && 'fir' in feedback ? feedback.fir.map(({ ssrc }) => ({ type: 'picture-loss', ssrc })) : [];
}

/** A request for a key frame of a stream (PLI; RFC 4585, 6.3.1). */
export function writePictureLoss({ RtcpPayloadSpecificFeedback, PictureLossIndication }: Werift, ssrc: number) {
  const feedback = new PictureLossIndication({ senderSsrc: REPORTER_SSRC, mediaSsrc: ssrc });
  return new RtcpPayloadSpecificFeedback({ feedback });
}

/** A request to send packets of a stream again (generic NACK; RFC 4585, 6.2.1). */
export function writeNack({ RtcpTransportLayerFeedback, GenericNack }: Werift, ssrc: number, sequences: number[]) {
  const lost = [...sequences].sort((a, b) => a - b);
  const feedback = new GenericNack({ senderSsrc: REPORTER_SSRC, mediaSourceSsrc: ssrc, lost });
  return new RtcpTransportLayerFeedback({ feedback });
}

/** Receiver reports (RFC 3550, 6.4.2), as many as the blocks need. */
export function writeReceiverReports({ RtcpRrPacket, RtcpReceiverInfo }: Werift, blocks: ReportBlock[]) {
  const reports = blocks.map(
    (block) =>
      new RtcpReceiverInfo({
        ssrc: block.ssrc,
        fractionLost: block.fraction_lost,
        packetsLost: block.packets_lost,
        highestSequence: block.highest_sequence,
        jitter: block.jitter,
        lsr: block.last_sender_report,
        dlsr: block.delay_since_last_sender_report,
      }),
  );
  return Array.from(
    { length: Math.ceil(reports.length / BLOCKS_PER_REPORT) },
    (_, index) =>
      new RtcpRrPacket({
        ssrc: REPORTER_SSRC,
        reports: reports.slice(index * BLOCKS_PER_REPORT, (index + 1) * BLOCKS_PER_REPORT),
      }),
  );
}

/** A sender report: the publisher's time with the timestamps of the outgoing stream. */
export function writeSenderReport(
  { RtcpSrPacket, RtcpSenderInfo }: Werift,
  report: { ssrc: number; ntp: bigint; rtp_timestamp: number; packets: number; octets: number },
) {
  const senderInfo = new RtcpSenderInfo({
    ntpTimestamp: report.ntp,
    rtpTimestamp: report.rtp_timestamp >>> 0,
    packetCount: report.packets >>> 0,
    octetCount: report.octets >>> 0,
  });
  return new RtcpSrPacket({ ssrc: report.ssrc, senderInfo });
}

/** The bandwidth offered to a publisher (REMB): an 18-bit mantissa and an exponent. */
export function writeBandwidth(werift: Werift, bits_per_second: number, ssrcs: number[]) {
  let exponent = 0;
  while (bits_per_second / 2 ** exponent > 0x3ffff) exponent++;
  const feedback = new werift.ReceiverEstimatedMaxBitrate({
    senderSsrc: REPORTER_SSRC,
    mediaSsrc: 0,
    ssrcNum: ssrcs.length,
    brExp: exponent,
    brMantissa: Math.floor(bits_per_second / 2 ** exponent),
    bitrate: BigInt(Math.floor(bits_per_second)),
    ssrcFeedbacks: ssrcs,
  });
  return new werift.RtcpPayloadSpecificFeedback({ feedback });
}
