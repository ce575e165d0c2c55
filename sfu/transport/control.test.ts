import * as werift from 'werift';
import { expect, test } from 'vitest';
import {
  readControl,
  readFeedback,
  writeBandwidth,
  writeNack,
  writePictureLoss,
  writeReceiverReports,
} from './control.ts';

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
