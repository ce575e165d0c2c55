/** A pacer (a leaky bucket that queues): beyond a rate, refusals are sent later, and clients that wait for them send less meanwhile. */
import type { Limits } from './limits.ts';

type PacerBounds = Pick<Limits, 'refusals_per_second' | 'refusal_held_ms' | 'refusals_held'>;
type Held = { due_ms: number; send: () => void };

/** The interval of the check for what is due, in ms. */
const look_ms = 10;

/**
 * Creates a pacer without refusals. A client has one request at a time on a connection, and sends its next one only after
 * the refusal: refusing then does not use the processor that accepted requests need. No refusal is held longer than
 * `refusal_held_ms`; while `refusals_held` of them are, further ones are sent at once.
 * @returns sends one refusal, at once or later
 */
export function createPacer(bounds: PacerBounds): (send: () => void) => void {
  const held: Held[] = [];
  const interval_ms = 1000 / bounds.refusals_per_second;
  let next_ms = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now_ms = performance.now();
    const left = held.findIndex(({ due_ms }) => due_ms > now_ms);
    for (const { send } of held.splice(0, left < 0 ? held.length : left)) send();
    timer = held.length > 0 ? setTimeout(look, look_ms) : undefined;
  }

  return (send) => {
    const now_ms = performance.now();
    // Those of one interval of the check are sent at once.
    next_ms = Math.min(Math.max(next_ms + interval_ms, now_ms - look_ms), now_ms + bounds.refusal_held_ms);
    if (next_ms <= now_ms || held.length >= bounds.refusals_held) return send();
    held.push({ due_ms: next_ms, send });
    timer ??= setTimeout(look, look_ms);
  };
}
