/** Follows: who follows which tag, and the realtime subscriptions that follow from it. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import type { Subscription } from '../../kernel/realtime/receivers.ts';
import { subscription_changed } from '../../kernel/realtime/replay.ts';
import { Type } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { notify } from '../notifications/notify.ts';
import { clearNotifications } from '../notifications/clear-notifications.ts';
import { hasMuted } from '../visibility/mutes.ts';
import type { TagRow } from './tags.ts';
import { cancelRequests } from './follow-requests.ts';

/** For the realtime hub, not for clients: a user's subscriptions have changed. */
const subscriptionChanged = event(subscription_changed, 'What a user hears of.', Type.Unknown());

/** A follow, and the owner of its tag. */
export type FollowRow = { id: string; tag_id: string; owner_id: string; follower_id: string };

/** The topics of a follow: the tag, and its owner for statuses without a tag. */
const subscriptionOf = ({ tag_id, owner_id }: Pick<FollowRow, 'tag_id' | 'owner_id'>): Subscription => ({
  key: tag_id,
  topics: [`stream:${tag_id}`, `stream:${owner_id}`],
});

/** The subscriptions of a user from the tags that they follow. */
export async function selectSubscriptions(db: Queryable, user_id: string): Promise<Subscription[]> {
  const rows = await db.many<Pick<FollowRow, 'tag_id' | 'owner_id'>>(
    sql`select f.tag_id, f.owner_id from follows f
      where f.follower_id = ${user_id} and not ${hasMuted(user_id, sql`f.owner_id`)}`,
  );
  return rows.map(subscriptionOf);
}

const selectFollowsOf = (db: Queryable, follower_id: string, owner_id: string) =>
  db.many<Pick<FollowRow, 'tag_id' | 'owner_id'>>(
    sql`select tag_id, owner_id from follows where follower_id = ${follower_id} and owner_id = ${owner_id}`,
  );

/** Unsubscribes a follower from a person whom they have muted. The caller has locked the pair. */
export async function emitUnsubscribed(change: Change, follower_id: string, owner_id: string): Promise<void> {
  const remove = (await selectFollowsOf(change.db, follower_id, owner_id)).map(({ tag_id }) => tag_id);
  if (remove.length > 0) change.emit(subscriptionChanged, [`user:${follower_id}`], { add: [], remove });
}

/** Resubscribes a follower to a person whom they have unmuted. The caller has locked the pair. */
export async function emitSubscribed(change: Change, follower_id: string, owner_id: string): Promise<void> {
  const add = (await selectFollowsOf(change.db, follower_id, owner_id)).map(subscriptionOf);
  if (add.length > 0) change.emit(subscriptionChanged, [`user:${follower_id}`], { add, remove: [] });
}

/**
 * Locks what a person follows until the end of the transaction, so that it is counted by one change at a time. Taken
 * after the lock of the pair and before any row. An advisory lock: the account's row is locked by other changes in
 * other orders.
 */
export async function lockFollows(db: Queryable, follower_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`follows ${follower_id}`}, 0))`);
}

/** Inserts a follow; undefined when it exists already. The caller has locked the pair and checked for a block. */
export async function insertFollow(
  change: Change,
  follow: Pick<FollowRow, 'tag_id' | 'owner_id' | 'follower_id'>,
): Promise<FollowRow | undefined> {
  const row = await change.db.maybe<FollowRow & { muted: boolean }>(sql`
    insert into follows (id, tag_id, owner_id, follower_id, created_at)
    values (${change.id('fol')}, ${follow.tag_id}, ${follow.owner_id}, ${follow.follower_id}, ${change.now})
    on conflict (follower_id, tag_id) do nothing
    returning id, tag_id, owner_id, follower_id, ${hasMuted(sql`follower_id`, sql`owner_id`)} as muted`);
  if (row && !row.muted)
    change.emit(subscriptionChanged, [`user:${row.follower_id}`], { add: [subscriptionOf(row)], remove: [] });
  return row;
}

/**
 * Deletes the follows that a condition on `follows f` selects, with everything that depends on them.
 * @returns the deleted follows
 */
export async function deleteFollows(change: Change, which: Sql): Promise<FollowRow[]> {
  const gone = await change.db.many<FollowRow>(sql`
    delete from follows f where ${which} returning id, tag_id, owner_id, follower_id`);
  for (const [follower_id, rows] of Map.groupBy(gone, (row) => row.follower_id))
    change.emit(subscriptionChanged, [`user:${follower_id}`], { add: [], remove: rows.map(({ tag_id }) => tag_id) });
  await clearNotifications(
    change,
    gone.map(({ id }) => id),
  );
  return gone;
}

/** Deletes all follows and requests between two people, both ways. */
export async function endFollowsBetween(change: Change, one_id: string, other_id: string): Promise<void> {
  await deleteFollows(
    change,
    sql`(f.follower_id = ${one_id} and f.owner_id = ${other_id}) or (f.follower_id = ${other_id} and f.owner_id = ${one_id})`,
  );
  await cancelRequests(
    change,
    sql`((r.user_id = ${one_id} and r.owner_id = ${other_id}) or (r.user_id = ${other_id} and r.owner_id = ${one_id}))`,
  );
}

/** Follows a tag and notifies its owner. An open request becomes obsolete. */
export async function followNow(change: Change, tag: TagRow, user_id: string): Promise<void> {
  const follow = { tag_id: tag.id, owner_id: tag.owner.id, follower_id: user_id };
  const row = await insertFollow(change, follow);
  if (!row) return;
  await cancelRequests(change, sql`r.user_id = ${user_id} and r.tag_id = ${tag.id}`);
  await notify(change, {
    to: tag.owner.id,
    kind: 'follow',
    subject: { type: 'tag', id: tag.id },
    actor_id: user_id,
    source_id: row.id,
  });
}
