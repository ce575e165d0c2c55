/**
 * How fast the processor is at this moment. A shared machine slows down without a word when its host has other work: no
 * counter of the guest tells it, only work of a known size that takes longer.
 */
import { createHash } from 'node:crypto';

/** Enough for a stable figure between two trials, in milliseconds. */
const probe_ms = 80;

/** What a service does, in small: it makes JSON, reads it, and hashes. */
function workOnce(round: number): number {
  const item = { id: `tag_${round}`, name: 'jazz', followers: round % 97, at: '2031-05-14T17:20:00Z' };
  const text = JSON.stringify(Array.from({ length: 20 }, (_, at) => ({ ...item, at: item.at + at })));
  return (
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest()[0] ?? 0
  );
}

/** Pieces of work that one core does in a millisecond of time, not of CPU: what the host takes away counts. */
export function probeSpeed(): number {
  const began_ms = performance.now();
  let rounds = 0;
  for (; performance.now() - began_ms < probe_ms; rounds++) workOnce(rounds);
  return rounds / (performance.now() - began_ms);
}
