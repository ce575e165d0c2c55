/** Sound with redundancy (RFC 2198): each packet repeats those before it, so that a lost one is made good by the next. */

/** The newest block of a payload, which is what a receiver without redundancy gets; undefined when it is malformed. */
export function findPrimary(payload: Buffer): Buffer | undefined {
  let at = 0;
  let repeated_bytes = 0;
  // A header of four octets for each repeated block, with its length in the last ten bits, and one octet for the newest.
  for (; ((payload[at] ?? 0) & 0x80) !== 0; at += 4) {
    if (at + 4 >= payload.length) return undefined;
    repeated_bytes += payload.readUInt16BE(at + 2) & 0x3ff;
  }
  const from = at + 1 + repeated_bytes;
  return from < payload.length ? payload.subarray(from) : undefined;
}
