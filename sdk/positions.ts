const split = (position: string): readonly [string, bigint, bigint] | undefined => {
  const [, stream, transaction, place] = /^([\w-]+)\.(\d{1,20})\.(\d{1,19})$/.exec(position) ?? [];
  if (stream === undefined || transaction === undefined || place === undefined) return undefined;
  return [stream, BigInt(transaction), BigInt(place)];
};

/**
 * Compares two positions in the stream of events, such as identifiers of events.
 * @returns negative when the first is earlier, positive when it is later, 0 when they are equal; undefined for positions
 *   of different streams, as after the database was restored
 */
export function comparePositions(one: string, other: string): number | undefined {
  const [first, second] = [split(one), split(other)];
  if (first === undefined || second === undefined || first[0] !== second[0]) return undefined;
  const difference = first[1] - second[1] || first[2] - second[2];
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
