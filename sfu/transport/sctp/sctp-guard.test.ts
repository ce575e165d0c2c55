import { expect, test } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { openAssociation, repairChecksum } from '../../testing/sctp-association.ts';
import { examineSctp, type SctpState } from './sctp-guard.ts';

const state = (more: Partial<SctpState> = {}): SctpState => ({
  lastReceivedTsn: 100,
  sentQueue: { length: 10 },
  inboundStreams: {},
  ...more,
});

/** Creates a chunk with a body and a declared length. */
function chunk(type: number, body: Buffer, length = 4 + body.length): Buffer {
  const head = Buffer.from([type, 3, length >> 8, length & 0xff]);
  return Buffer.concat([head, body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
}

function data(tsn: number, stream = 0, text = 'hello'): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32BE(tsn >>> 0, 0);
  head.writeUInt16BE(stream, 4);
  return chunk(0, Buffer.concat([head, Buffer.from(text)]));
}

function sack(...gaps: [number, number][]): Buffer {
  const body = Buffer.alloc(12 + gaps.length * 4);
  body.writeUInt16BE(gaps.length, 8);
  gaps.forEach(([start, end], index) => {
    body.writeUInt16BE(start, 12 + index * 4);
    body.writeUInt16BE(end, 14 + index * 4);
  });
  return chunk(3, body);
}

const examine = (its_state: SctpState, ...chunks: Buffer[]) =>
  examineSctp(Buffer.concat([Buffer.alloc(12), ...chunks]), its_state);

test('counts the data chunks and bytes of a packet', () => {
  expect(examine(state(), data(101), data(102, 1, 'hi'))).toEqual({ chunks: 2, bytes: 7 });
  expect(examine(state(), sack([2, 3], [5, 9]))).toEqual({ chunks: 0, bytes: 0 });
  // A chunk that was received before is acknowledged again.
  expect(examine(state({ lastReceivedTsn: 3 }), data(2 ** 32 - 5)).chunks).toBe(1);
});

test.each([
  ['a chunk of length 0, which would cause an endless loop', chunk(4, Buffer.alloc(4), 0)],
  ['a chunk longer than the packet', chunk(4, Buffer.alloc(4), 400)],
  ['a parameter of length 0, which would cause an endless loop', chunk(4, Buffer.from([0, 1, 0, 0]))],
  ['the same in a RE-CONFIG chunk', chunk(130, Buffer.from([0, 13, 0, 0]))],
  ['gaps beyond the sent data', sack([2, 65_535])],
  ['overlapping gaps', sack([2, 9], [2, 9])],
  ['data far ahead', data(100 + LIMITS.sctp_window_chunks + 1)],
  ['data without its header', chunk(0, Buffer.alloc(5))],
  ['an incomplete FORWARD TSN', chunk(192, Buffer.alloc(6))],
])('rejects %s', (_, bytes) => {
  expect(() => examine(state(), bytes)).toThrow('SCTP');
});

test('limits streams and incomplete messages', () => {
  const streams = Object.fromEntries(
    Array.from({ length: LIMITS.sctp_streams }, (_, id) => [id, { reassembly: { length: 0 } }]),
  );
  expect(examine(state({ inboundStreams: streams }), data(101, 5)).chunks).toBe(1);
  expect(() => examine(state({ inboundStreams: streams }), data(101, 9_999))).toThrow('too many SCTP streams');
  const waiting = { 0: { reassembly: { length: LIMITS.sctp_waiting_chunks + 1 } } };
  expect(() => examine(state({ inboundStreams: waiting }), data(101))).toThrow('unfinished');
});

test('accepts all packets of an ordinary peer', async () => {
  const { packets, server } = await openAssociation();
  const fresh = state({ lastReceivedTsn: undefined as never, sentQueue: { length: 100 } });
  for (const packet of packets)
    expect(() => examineSctp(repairChecksum(packet, server), { ...fresh, lastReceivedTsn: 0 })).not.toThrow(/length/);
  await server.stop();
});
