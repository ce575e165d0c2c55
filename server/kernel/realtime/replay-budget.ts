/**
 * Events replayed to one account on this node. A resume reads and sends up to thousands of them in one turn of the event
 * loop, and a client could resume from the same cursor again and again.
 */
import type { Limits } from '../load/limits.ts';

/** Accounts whose use is kept; the one that has used its budget least recently is forgotten first. */
const max_accounts = 10_000;

type Replays = Pick<Limits, 'realtime_replay' | 'realtime_replays_per_minute' | 'realtime_replays_burst'>;

/** The budgets of all accounts, as a number of full replays in a burst and per minute. */
export class ReplayBudget {
  private readonly used = new Map<string, { events: number; at_ms: number }>();
  private readonly burst: number;
  private readonly per_ms: number;

  constructor({ realtime_replay, realtime_replays_per_minute, realtime_replays_burst }: Replays) {
    this.burst = realtime_replay * realtime_replays_burst;
    this.per_ms = (realtime_replay * realtime_replays_per_minute) / 60_000;
  }

  /** Whether an account may still be replayed events; otherwise its client has to fetch everything again. */
  has(user_id: string, now_ms: number): boolean {
    return this.usedBy(user_id, now_ms) < this.burst;
  }

  /** Counts events that were read for an account. */
  take(user_id: string, events: number, now_ms: number): void {
    if (events === 0) return;
    const used = this.usedBy(user_id, now_ms) + events;
    this.used.delete(user_id);
    this.used.set(user_id, { events: used, at_ms: now_ms });
    for (const oldest of this.used.keys()) {
      if (this.used.size <= max_accounts) break;
      this.used.delete(oldest);
    }
  }

  private usedBy(user_id: string, now_ms: number): number {
    const known = this.used.get(user_id);
    return known ? Math.max(0, known.events - (now_ms - known.at_ms) * this.per_ms) : 0;
  }
}
