/**
 * Filters a peer's SCTP packets (RFC 9260) before werift processes them. werift trusts the lengths and counts in a
 * packet: a zero-length chunk would make it loop forever, and endless gaps or fragments cost time and memory.
 */
import { LIMITS } from '../../limits.ts';

/** The association state that the guard reads. */
export type SctpState = {
  lastReceivedTsn?: number;
  sentQueue: { length: number };
  inboundStreams: Record<string, { reassembly: { length: number } }>;
};

/** The content of an accepted packet: the number of DATA chunks, and their bytes. */
export type SctpContents = { chunks: number; bytes: number };

const COMMON_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 4;
const DATA_HEADER_BYTES = 16;
const SACK_HEADER_BYTES = 16;
const CHUNK = { data: 0, sack: 3, forward_tsn: 192 } as const;
/**
 * The offset of the parameters of a chunk, by type: INIT and INIT ACK, HEARTBEAT and HEARTBEAT ACK, ABORT, ERROR,
 * RE-CONFIG.
 */
const PARAMETERS_AT: Record<number, number> = { 1: 20, 2: 20, 4: 4, 5: 4, 6: 4, 9: 4, 130: 4 };

const padded = (length: number): number => length + ((4 - (length % 4)) % 4);

/** Examines a packet before it is processed. @throws Error with the reason, for a packet to be dropped */
export function examineSctp(data: Buffer, state: SctpState): SctpContents {
  const contents = { chunks: 0, bytes: 0 };
  for (let at = COMMON_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= data.length;) {
    const length = data.readUInt16BE(at + 2);
    if (length < CHUNK_HEADER_BYTES || at + length > data.length) throw new Error('SCTP chunk has a wrong length');
    examineChunk(data.subarray(at, at + length), state, contents);
    at += padded(length);
  }
  if (contents.chunks > 0) requireRoom(state);
  return contents;
}

function examineChunk(chunk: Buffer, state: SctpState, contents: SctpContents): void {
  const type = chunk[0] as number;
  const parameters_at = PARAMETERS_AT[type];
  if (parameters_at !== undefined) return examineParameters(chunk, parameters_at);
  if (type === CHUNK.sack) return examineSack(chunk, state);
  if (type === CHUNK.forward_tsn) return examineForwardTsn(chunk, state);
  if (type !== CHUNK.data) return;
  if (chunk.length < DATA_HEADER_BYTES) throw new Error('SCTP DATA chunk is too short');
  requireStreams(state, [chunk.readUInt16BE(8)]);
  const ahead = (chunk.readUInt32BE(4) - (state.lastReceivedTsn ?? 0)) >>> 0;
  // Half of the sequence numbers are in the past.
  if (ahead > LIMITS.sctp_window_chunks && ahead < 2 ** 31) throw new Error('SCTP DATA chunk is too far ahead');
  contents.chunks++;
  contents.bytes += chunk.length - DATA_HEADER_BYTES;
}

function examineParameters(chunk: Buffer, from: number): void {
  for (let at = from; at + 4 <= chunk.length;) {
    const length = chunk.readUInt16BE(at + 2);
    if (length < 4 || at + length > chunk.length) throw new Error('SCTP parameter has a wrong length');
    at += padded(length);
  }
}

/** Gap blocks name chunks after a loss, and so only chunks that were sent. */
function examineSack(chunk: Buffer, { sentQueue }: SctpState): void {
  if (chunk.length < SACK_HEADER_BYTES) throw new Error('SCTP SACK chunk is too short');
  const [gaps, duplicates] = [chunk.readUInt16BE(12), chunk.readUInt16BE(14)];
  if (SACK_HEADER_BYTES + 4 * (gaps + duplicates) > chunk.length) throw new Error('SCTP SACK chunk is too short');
  let last = 0;
  for (let at = SACK_HEADER_BYTES; at < SACK_HEADER_BYTES + 4 * gaps; at += 4) {
    const [start, end] = [chunk.readUInt16BE(at), chunk.readUInt16BE(at + 2)];
    if (start <= last || end < start || end > sentQueue.length) throw new Error('SCTP SACK chunk has wrong gaps');
    last = end;
  }
}

function examineForwardTsn(chunk: Buffer, state: SctpState): void {
  if (chunk.length < 8 || chunk.length % 4 !== 0) throw new Error('SCTP FORWARD TSN chunk has a wrong length');
  const streams: number[] = [];
  for (let at = 8; at < chunk.length; at += 4) streams.push(chunk.readUInt16BE(at));
  requireStreams(state, streams);
}

function requireStreams({ inboundStreams }: SctpState, streams: number[]): void {
  const fresh = new Set(streams.filter((stream) => inboundStreams[stream] === undefined));
  if (fresh.size > 0 && Object.keys(inboundStreams).length + fresh.size > LIMITS.sctp_streams)
    throw new Error('too many SCTP streams');
}

/** Chunks waiting for the rest of their message, or for an earlier message, are limited. */
function requireRoom({ inboundStreams }: SctpState): void {
  let waiting = 0;
  for (const stream of Object.values(inboundStreams)) waiting += stream.reassembly.length;
  if (waiting > LIMITS.sctp_waiting_chunks) throw new Error('too many unfinished SCTP messages');
}
