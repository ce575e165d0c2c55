/**
 * Presence: who is connected, counted on this node and combined in the database. Going offline is delayed by a grace
 * period, so that neither a phone that changes networks nor a restart of a node is visible to others.
 */
import { presentUser } from '../domain/accounts/accounts.ts';
import { presenceUpdated } from '../features/realtime/events.ts';
import {
  deletePresence,
  insertPresence,
  renewPresence,
  selectPresenceAudience,
  selectStalePresence,
} from '../features/realtime/queries.ts';
import { isId } from '../kernel/id.ts';
import type { Realtime } from '../kernel/realtime/realtime.ts';
import { change as inChange, type Change, type Services } from '../kernel/services.ts';
import { after, wireTime } from '../kernel/time.ts';

/** How long a user stays online after their last connection closed, in milliseconds. */
const presence_grace_ms = 30_000;
/** The interval at which a node renews its entries, and how long those of a dead node are valid. */
const renew_ms = 30_000;
const stale_s = 90;

export type PresenceTracker = {
  /** A connection of a user was opened; the returned function is called when it closes. */
  arrive(user_id: string): () => void;
  /** Renews this node's entries, and removes those of dead nodes. */
  keep(): Promise<void>;
  close(): void;
};

/** Tracks presence for one node. */
export function createPresence(services: Services, node_id: string, grace_ms = presence_grace_ms): PresenceTracker {
  const lines = new Map<string, number>();
  const leaving = new Map<string, NodeJS.Timeout>();
  const settled = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => services.log.warn({ err: error }, 'failed to store presence'));

  function arrive(user_id: string): () => void {
    lines.set(user_id, (lines.get(user_id) ?? 0) + 1);
    const still_noted = leaving.has(user_id);
    clearTimeout(leaving.get(user_id));
    leaving.delete(user_id);
    if (lines.get(user_id) === 1 && !still_noted)
      settled(
        inChange(services, async (change) => {
          if (await insertPresence(change.db, user_id, node_id, change.now))
            await emitPresence(change, services, user_id, true);
        }),
      );
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const count = (lines.get(user_id) ?? 1) - 1;
      if (count > 0) lines.set(user_id, count);
      else {
        lines.delete(user_id);
        leaving.set(user_id, setTimeout(() => settled(leave(user_id)), grace_ms).unref());
      }
    };
  }

  async function leave(user_id: string): Promise<void> {
    leaving.delete(user_id);
    await depart(services, user_id, node_id);
  }

  async function keep(): Promise<void> {
    const now = services.clock.now();
    await renewPresence(services.db, node_id, now);
    for (const stale of await selectStalePresence(services.db, after(now, -stale_s)))
      await depart(services, stale.user_id, stale.node_id);
  }

  const timer = setInterval(() => settled(keep()), renew_ms).unref();
  return {
    arrive,
    keep,
    close() {
      clearInterval(timer);
      for (const waiting of leaving.values()) clearTimeout(waiting);
    },
  };
}

/** The hub, with presence tracked for every connection. */
export function withPresence(hub: Realtime, presence: PresenceTracker): Realtime {
  return {
    ...hub,
    async join(line, last_event_id, welcome) {
      const leave = await hub.join(line, last_event_id, welcome);
      // Widget guests have no presence.
      if (!isId('usr', line.user_id)) return leave;
      const part = presence.arrive(line.user_id);
      return () => {
        leave();
        part();
      };
    },
    async close() {
      presence.close();
      await hub.close();
    },
  };
}

/** Removes a node's entry of a user, and emits the change when that was the last. */
async function depart(services: Services, user_id: string, node_id: string): Promise<void> {
  await inChange(services, async (change) => {
    if (await deletePresence(change.db, user_id, node_id)) await emitPresence(change, services, user_id, false);
  });
}

async function emitPresence(change: Change, services: Services, user_id: string, online: boolean): Promise<void> {
  const audience = await selectPresenceAudience(change.db, user_id, online);
  if (!audience || audience.observers.length === 0) return;
  const user = presentUser(audience.user, services.public_url);
  const topics = audience.observers.map((id) => `user:${id}` as const);
  change.emit(presenceUpdated, topics, { user, online, changed_at: wireTime(change.now) });
}
