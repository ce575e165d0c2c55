/**
 * The current speed of the processor. A shared machine slows down when its host has other work, which no counter of the
 * guest shows: only work of a known size takes longer.
 */
import { createHash } from 'node:crypto';

/** Long enough for a stable figure between two trials, in milliseconds. */
const probe_ms = 80;

/** A small version of what a service does: it writes JSON, parses it, and hashes. */
function workOnce(round: number): number {
  const item = { id: `tag_${round}`, name: 'jazz', followers: round % 97, at: '2031-05-14T17:20:00Z' };
  const text = JSON.stringify(Array.from({ length: 20 }, (_, at) => ({ ...item, at: item.at + at })));
  return (
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest()[0] ?? 0
  );
}

/**
 * Units of work that one core does per millisecond of wall-clock time, and not of CPU time: what the host takes away
 * counts.
 */
export function probeSpeed(): number {
  const began_ms = performance.now();
  let rounds = 0;
  for (; performance.now() - began_ms < probe_ms; rounds++) workOnce(rounds);
  return rounds / (performance.now() - began_ms);
}
