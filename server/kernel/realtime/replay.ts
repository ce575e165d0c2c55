/** Replay: what a receiver missed, without what must no longer be sent. */
import { idPattern } from '../id.ts';
import type { StoredEvent } from './outbox.ts';

/**
 * The type of events that change the subscriptions of a user's connections. They have a place in the outbox order and
 * are not sent to clients.
 */
export const subscription_changed = 'subscription.changed';

/** The type of events after which no earlier event that names `user_id` is replayed. They are not sent to clients. */
export const replay_barred = 'replay.barred';

/** Replayed in any case: a ring must be stopped, and changes by other people still apply. */
const unbarred_types = /^(call|group)\./;

/** Removes or changes missed events of a user, by the present state of what they name. */
export type ReplayFilter = (user_id: string, events: StoredEvent[]) => Promise<StoredEvent[]>;

/** Identifiers that are members of an event: in a text that somebody wrote, quotation marks are escaped. */
const user_ids = new RegExp(String.raw`(?<!\\)"(${idPattern('usr').slice(1, -1)})"`, 'g');

/** Removes internal events, and events from before a barrier that name its user, in one pass. */
export function withoutBarred(events: StoredEvent[]): StoredEvent[] {
  const barred = new Set<string>();
  return events
    .toReversed()
    .filter(({ topic, type, data }) => {
      if (type === subscription_changed) return false;
      if (type === replay_barred) {
        barred.add(`${topic} ${(JSON.parse(data) as { user_id: string }).user_id}`);
        return false;
      }
      if (barred.size === 0 || unbarred_types.test(type)) return true;
      return !data.matchAll(user_ids).some(([, id]) => barred.has(`${topic} ${id}`));
    })
    .toReversed();
}
