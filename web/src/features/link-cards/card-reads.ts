/**
 * How many cards are read: a text may have links of anybody, and the reader's requests are limited. What is beyond the limit
 * stays a link.
 */
const MAX_READS = 60;
const WINDOW_MS = 60_000;

/** Counts reads within a minute. @returns a function that says whether another card may be read at a moment, and counts it */
export function limitReads(): (now_ms: number) => boolean {
  let reads: number[] = [];
  return (now_ms) => {
    reads = reads.filter((at_ms) => now_ms - at_ms < WINDOW_MS);
    if (reads.length >= MAX_READS) return false;
    reads.push(now_ms);
    return true;
  };
}

/** Whether another card may be read now, in all texts of the page together. */
export const mayReadCard = limitReads();
