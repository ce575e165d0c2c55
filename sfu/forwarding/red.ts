/**
 * Redundant audio (RED, RFC 2198): each packet repeats earlier ones, so that a lost one can be recovered from the next.
 */

/** The primary block of a payload, for receivers without RED support; undefined when it is malformed. */
export function findPrimary(payload: Buffer): Buffer | undefined {
  let at = 0;
  let repeated_bytes = 0;
  // A header of four bytes for each redundant block, with its length in the last ten bits, and one byte for the
  // primary.
  for (; ((payload[at] ?? 0) & 0x80) !== 0; at += 4) {
    if (at + 4 >= payload.length) return undefined;
    repeated_bytes += payload.readUInt16BE(at + 2) & 0x3ff;
  }
  const from = at + 1 + repeated_bytes;
  return from < payload.length ? payload.subarray(from) : undefined;
}
