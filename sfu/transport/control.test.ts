import * as werift from 'werift';
import { afterEach, expect, test, vi } from 'vitest';
import { createRateGate, LIMITS } from '../limits.ts';
import {
  createControlReader,
  readControl,
  readFeedback,
  writeBandwidth,
  writeNack,
  writePictureLoss,
  writeReceiverReports,
  writeSenderReport,
} from './control.ts';
import { slow } from '../../testing/slow-tests.ts';

/** Serialises a packet and parses it again. */
const roundTrip = (packet: werift.RtcpPacket) =>
  werift.RtcpPacketConverter.deSerialize(packet.serialize()).flatMap((read) => readFeedback(werift, read));

test('parses the packets that it writes', () => {
  expect(roundTrip(writePictureLoss(werift, 9))).toEqual([{ type: 'picture-loss', ssrc: 9 }]);
  expect(roundTrip(writeNack(werift, 9, [7, 5, 6]))).toEqual([{ type: 'nack', ssrc: 9, sequences: [5, 6, 7] }]);
  const [bandwidth] = roundTrip(writeBandwidth(werift, 3_000_000, [1, 2]));
  expect(bandwidth?.type === 'bandwidth' && Math.abs(bandwidth.bits_per_second - 3_000_000)).toBeLessThan(16);
  const block = { packets_lost: 3, lost_since: 1, highest_sequence: 70_000, jitter: 4 };
  const times = { last_sender_report: 5, delay_since_last_sender_report: 6 };
  const blocks = Array.from({ length: 40 }, (_, ssrc) => ({ ssrc, fraction_lost: 64, ...block, ...times }));
  const reports = writeReceiverReports(werift, blocks);
  expect(reports.map((report) => report.reports.length)).toEqual([31, 9]);
  expect(reports.flatMap(roundTrip)).toHaveLength(40);
  expect(roundTrip(reports[1] as werift.RtcpRrPacket)[0]).toEqual({ type: 'loss', ssrc: 31, share: 0.25 });
});

test('parses NACK bit masks over the wrap of sequence numbers', () => {
  const packet = writeNack(werift, 9, [65_534, 65_535]);
  // The numbers after the first are bits of a mask: here the second to the fourth after it.
  const bytes = packet.serialize();
  bytes.writeUInt16BE(0b1110, bytes.length - 2);
  const read = readControl(werift, bytes).flatMap((entry) => readFeedback(werift, entry));
  expect(read).toEqual([{ type: 'nack', ssrc: 9, sequences: [65_534, 0, 1, 2] }]);
});

test('limits the number of NACKs in a compound packet of many packets', () => {
  const short = Buffer.from([0x81, 205, 0, 0]);
  const compound = Buffer.concat([
    ...Array.from({ length: 360 }, () => short),
    Buffer.from([0x81, 205, 0, 2]),
    Buffer.alloc(8),
  ]);
  expect(compound.length).toBeLessThan(1_500);
  const sequences = readControl(werift, compound)
    .flatMap((entry) => readFeedback(werift, entry))
    .flatMap((entry) => (entry.type === 'nack' ? entry.sequences : []));
  expect(sequences.length).toBeLessThan(100);
});

test('a datagram of many sender reports is parsed up to the limit', () => {
  const report = (rtp_timestamp: number) =>
    writeSenderReport(werift, { ssrc: 9, ntp: 1n, rtp_timestamp, packets: 0, octets: 0 }).serialize();
  const compound = Buffer.concat(Array.from({ length: 2_000 }, (_, index) => report(index)));
  expect(readControl(werift, compound)).toHaveLength(LIMITS.rtcp_packets);
});

const unlimited = { has: () => true, take: () => true };
const openForgeries = () => createRateGate(LIMITS.forged_per_second, LIMITS.forged_burst);

/** A reader of datagrams that end with an index, and before it 1 where they are not authentic. */
function openReader() {
  const counts = { decrypted: 0 };
  const decrypt = (data: Buffer) => {
    counts.decrypted++;
    if (data.at(-5) === 1) throw new Error('not authentic');
    return data.subarray(0, -5);
  };
  return { counts, read: createControlReader(werift, () => ({ decrypt, is_gcm: true }), openForgeries(), unlimited) };
}

/** A datagram, as `openReader` reads it. */
function seal(packet: Buffer, index: number, mark = 0): Buffer {
  const tail = Buffer.from([mark, 0, 0, 0, 0]);
  // The first bit tells that it is encrypted.
  tail.writeUInt32BE(0x80000000 + index, 1);
  return Buffer.concat([packet, tail]);
}

afterEach(() => void vi.useRealTimers());

test(
  'datagrams that are not authentic take nothing from the peer, and few of unknown senders are decrypted',
  slow,
  () => {
    // Budgets are not refilled meanwhile, however slow the machine is.
    vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(1);
    const { counts, read } = openReader();
    const request = writePictureLoss(werift, 9).serialize();
    const forge = (sender: number, index: number) => {
      const forged = seal(request, index, 1);
      forged.writeUInt32BE(sender, 4);
      return forged;
    };
    const count = 5 * LIMITS.rtcp_burst;
    expect(read(seal(request, 0))).toHaveLength(1);
    for (let index = 0; index < count; index++) expect(read(forge(1_000 + index, 0))).toEqual([]);
    expect(counts.decrypted).toBeLessThan(2 * LIMITS.forged_burst);
    // Somebody on the path knows the sender, and the numbers of its datagrams.
    for (let index = 0; index < count; index++) expect(read(forge(request.readUInt32BE(4), index))).toEqual([]);
    const found = Array.from({ length: LIMITS.rtcp_burst - 1 }, (_, index) => read(seal(request, index + 1)).length);
    expect(found.reduce((sum, length) => sum + length, 0)).toBe(LIMITS.rtcp_burst - 1);
  },
);

test('a datagram that somebody sends again is neither decrypted nor counted', () => {
  const { counts, read } = openReader();
  const request = writePictureLoss(werift, 9).serialize();
  const datagrams = [3, 1, 2].map((index) => seal(request, index));
  expect(datagrams.map((data) => read(data).length)).toEqual([1, 1, 1]);
  for (let round = 0; round < 2 * LIMITS.rtcp_burst; round++)
    expect(datagrams.flatMap((data) => read(data))).toEqual([]);
  expect(counts.decrypted).toBe(3);
  expect(read(seal(request, 5_000))).toHaveLength(1);
  expect(read(seal(request, 4))).toEqual([]);
});

test('datagrams above the rate of one peer, or larger than an MTU, are not decrypted', () => {
  const { counts, read } = openReader();
  const request = writePictureLoss(werift, 9).serialize();
  const count = 3 * LIMITS.rtcp_burst;
  const found = Array.from({ length: count }, (_, index) => read(seal(request, index)).length).reduce((a, b) => a + b);
  expect(found).toBe(counts.decrypted);
  expect(counts.decrypted).toBeGreaterThanOrEqual(LIMITS.rtcp_burst);
  expect(counts.decrypted).toBeLessThan(2 * LIMITS.rtcp_burst);
  const other = openReader();
  const filler = Buffer.alloc(LIMITS.rtcp_bytes, Buffer.from([0x80, 204, 0, 0]));
  const read_lengths = [Buffer.concat([request, filler]), request].map((data) => other.read(seal(data, 1)).length);
  expect(read_lengths).toEqual([0, 1]);
});

test('ignores unknown types of feedback', () => {
  for (let kind = 0; kind < 32; kind++)
    for (const type of [205, 206]) {
      const packet = Buffer.alloc(20);
      packet[0] = 0x80 | kind;
      packet[1] = type;
      packet.writeUInt16BE(4, 2);
      let read: werift.RtcpPacket[] = [];
      try {
        read = werift.RtcpPacketConverter.deSerialize(packet);
      } catch {
        // Malformed for its kind.
      }
      expect(() => read.flatMap((entry) => readFeedback(werift, entry))).not.toThrow();
    }
});
