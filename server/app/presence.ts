/**
 * Presence: which users and guests of calls are connected, counted on this node and combined in the database. Going
 * offline is delayed by a grace period, so that neither a phone that changes networks nor a restart of a node is
 * visible to others.
 */
import { updateGuestPresence } from '../domain/calls/link-guests.ts';
import { presentUser } from '../domain/accounts/accounts.ts';
import { storeLastSeen } from '../domain/accounts/presence.ts';
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

/** How long a user or guest stays online after their last connection closed, in milliseconds. */
const presence_grace_ms = 30_000;
/** The interval at which a node renews its entries, and how long those of a dead node are valid. */
const renew_ms = 30_000;
const stale_s = 90;

/** The presence of the people connected to this node, which others see through the bus. */
export type PresenceTracker = {
  /** A connection of a user or guest was opened; the returned function is called when it closes. */
  arrive(person_id: string): () => void;
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

  function arrive(person_id: string): () => void {
    lines.set(person_id, (lines.get(person_id) ?? 0) + 1);
    const still_noted = leaving.has(person_id);
    clearTimeout(leaving.get(person_id));
    leaving.delete(person_id);
    if (lines.get(person_id) === 1 && !still_noted)
      settled(
        inChange(services, async (change) => {
          if (await insertPresence(change.db, person_id, node_id, change.now))
            await emitPresence(change, person_id, true);
        }),
      );
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const count = (lines.get(person_id) ?? 1) - 1;
      if (count > 0) lines.set(person_id, count);
      else {
        lines.delete(person_id);
        leaving.set(person_id, setTimeout(() => settled(leave(person_id)), grace_ms).unref());
      }
    };
  }

  async function leave(person_id: string): Promise<void> {
    leaving.delete(person_id);
    await depart(services, person_id, node_id);
  }

  async function keep(): Promise<void> {
    const now = services.clock.now();
    await renewPresence(services.db, node_id, now);
    for (const stale of await selectStalePresence(services.db, after(now, -stale_s)))
      await depart(services, stale.person_id, stale.node_id);
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

/** Removes a node's entry of a user or guest, and emits the change when that was the last. */
async function depart(services: Services, person_id: string, node_id: string): Promise<void> {
  await inChange(services, async (change) => {
    if (!(await deletePresence(change.db, person_id, node_id))) return;
    if (!isId('gst', person_id)) await storeLastSeen(change.db, person_id, change.now);
    await emitPresence(change, person_id, false);
  });
}

/** Notifies mutual followers of a user's presence, and the hosts of a call of that of a guest who waits. */
async function emitPresence(change: Change, person_id: string, online: boolean): Promise<void> {
  if (isId('gst', person_id)) return updateGuestPresence(change, person_id, online);
  const audience = await selectPresenceAudience(change.db, person_id, online);
  if (!audience || audience.observers.length === 0) return;
  const user = presentUser(audience.user, change);
  const topics = audience.observers.map((id) => `user:${id}` as const);
  change.emit(presenceUpdated, topics, { user, online, changed_at: wireTime(change.now) });
}
