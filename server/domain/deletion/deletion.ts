/** Dismantling: what goes with a tag, a contact, a group and an account. What others see ends at once, with one mark; the rows go after it, in portions. */
import { raw, sql, type Sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { endSubscriptionsOf } from '../billing/plans.ts';
import { releaseFiles } from '../files/files.ts';
import { cancelRequests, deleteFollows } from '../social/follows.ts';
import { tellGroup, withdrawInvites } from '../contacts/group-invites.ts';
import { groupDeleted } from '../contacts/groups.ts';
import { clearNotifications } from '../notifications/notifications.ts';
import { holdName, name_hold_s, type TagRow } from '../social/tags.ts';
import { clearThreads } from '../messages/threads.ts';
import { dismantleWidgets } from '../widgets/widgets.ts';

/** How many rows of a kind go in one transaction. */
const portion = 500;
/** Of imports fewer: each may tell of ten thousand contacts. */
const portion_of_imports = 5;

/** Deletes a tag whose row the caller has locked, and holds its name for a while. */
export async function deleteTagContent(
  change: Change,
  services: Services,
  tag: Pick<TagRow, 'id' | 'name'>,
): Promise<void> {
  const { db, now } = change;
  await db.run(sql`update tags set deleted_at = ${now} where id = ${tag.id}`);
  await holdName(db, tag.name, tag.id, after(now, name_hold_s));
  await dismantleWidgets(change, services, sql`w.tag_id = ${tag.id}`);
  change.enqueue(purgeTag, { tag_id: tag.id });
}

/** Removes the rows of a deleted tag: follows, requests, statuses with all that hangs on them, comments, files. */
export const purgeTag = job<{ tag_id: string }>({
  name: 'tags.clear',
  max_attempts: 20,
  async run({ tag_id }, services) {
    await inChange(services, async (change) => {
      const { db, now } = change;
      const follows = await deleteFollows(
        change,
        sql`f.id = any(array(select id from follows where tag_id = ${tag_id} order by id limit ${portion}))`,
      );
      const some_requests = sql`r.id = any(array(
        select id from follow_requests where tag_id = ${tag_id} and state in ('pending', 'declined') order by id limit ${portion}))`;
      const requests = await cancelRequests(change, some_requests, services.public_url);
      const statuses = await db.many<{ id: string }>(
        sql`select id from statuses where stream_id = ${tag_id} order by id limit ${portion}`,
      );
      await purgeStatuses(
        change,
        statuses.map(({ id }) => id),
      );
      const comments = await db.many<{ id: string }>(sql`
        delete from comments where id = any(array(select id from comments where tag_id = ${tag_id} order by id limit ${portion}))
        returning id`);
      await clearNotifications(
        change,
        comments.map(({ id }) => id),
      );
      await releaseFiles(db, [tag_id], now);
      // What can still be caught up with must not tell of it either.
      await db.run(sql`delete from events where topic = ${`stream:${tag_id}`}`);
      await db.run(sql`update tags set title = '', description = '', media_count = 0 where id = ${tag_id}`);
      const found = [follows.length, requests, statuses.length, comments.length];
      const left = found.some((count) => count === portion);
      if (left) change.enqueue(purgeTag, { tag_id });
    });
  },
});

/** Removes statuses with their replies, their files and what was notified of them. */
export async function purgeStatuses(change: Change, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, now } = change;
  // Whoever replies to one, or names files in it, holds its row: the look for what hangs on it comes after they have committed.
  await db.run(sql`select 1 from statuses where id = any(${ids}::text[]) order by id for update`);
  const replies = await db.many<{ id: string }>(sql`select id from replies where status_id = any(${ids}::text[])`);
  await releaseFiles(db, ids, now);
  await db.run(sql`delete from statuses where id = any(${ids}::text[])`);
  await clearNotifications(change, [...ids, ...replies.map(({ id }) => id)]);
}

/** Deletes contacts of one owner, whose rows the caller has locked, and takes them out of the owner's groups. */
export async function deleteContacts(change: Change, ids: string[]): Promise<void> {
  const { db } = change;
  const which = sql`contact_id = any(${ids}::text[])`;
  // Groups first, then members, then invites: whoever removes takes them in this order.
  await db.run(sql`
    select 1 from groups where id in (select group_id from group_members where ${which}) order by id for update`);
  const places = await db.many<{ group_id: string; invite_id: string | null }>(sql`
    delete from group_members where ${which} returning group_id, invite_id`);
  const invites = places.flatMap(({ invite_id }) => invite_id ?? []);
  if (invites.length > 0) await withdrawInvites(change, sql`i.id = any(${invites}::text[])`);
  await db.run(sql`delete from contacts where id = any(${ids}::text[])`);
  for (const group_id of new Set(places.map((one) => one.group_id))) await tellGroup(change, group_id);
}

/** Deletes a group whose row the caller has locked: whoever was asked or in it is told at once, its rows go after. */
export async function deleteGroupContent(change: Change, group_id: string, owner_id: string): Promise<void> {
  await change.db.run(sql`update groups set deleted_at = ${change.now} where id = ${group_id}`);
  await withdrawInvites(change, sql`i.group_id = ${group_id}`);
  change.emit(groupDeleted, [`user:${owner_id}`], { id: group_id });
  change.enqueue(purgeGroup, { group_id });
}

/** Removes the rows of a deleted group. */
export const purgeGroup = job<{ group_id: string }>({
  name: 'groups.clear',
  max_attempts: 20,
  async run({ group_id }, services) {
    await inChange(services, async ({ db, now, enqueue }) => {
      const messages = await db.many<{ id: string }>(sql`
        delete from chat_messages where id = any(array(
          select id from chat_messages where group_id = ${group_id} order by id limit ${portion})) returning id`);
      await releaseFiles(db, [group_id, ...messages.map(({ id }) => id)], now);
      if (messages.length === portion) enqueue(purgeGroup, { group_id });
      else await db.run(sql`delete from groups where id = ${group_id} and deleted_at is not null`);
    });
  },
});

/** Deletes what an account has made and what binds it to others. The caller has marked its row as deleted. */
export async function deleteAccountContent(change: Change, services: Services, user_id: string): Promise<void> {
  const tags = await change.db.many<Pick<TagRow, 'id' | 'name'>>(
    sql`select id, name from tags where owner_id = ${user_id} and deleted_at is null order by id for update`,
  );
  for (const tag of tags) await deleteTagContent(change, services, tag);
  const groups = await change.db.many<{ id: string }>(
    sql`select id from groups where owner_id = ${user_id} and deleted_at is null order by id for update`,
  );
  for (const { id } of groups) await deleteGroupContent(change, id, user_id);
  await endSubscriptionsOf(change, user_id);
  for (const { accountDeleted } of services.lifecycles) await accountDeleted?.(change, user_id, services);
  change.enqueue(startAccountPurge, { user_id });
}

/** The first of an account's rows in a table, as a condition on its identifiers. */
type Some = (table: string, column: string) => Sql;

/** Takes away an account's mail, recordings and files, but for what others received. @returns how many rows of each kind went */
async function purgeMedia({ db, now }: Change, user_id: string, some: Some): Promise<number[]> {
  // What others received stays theirs, with its file.
  await db.run(sql`
    with handed_on as (
      update files set owner_id = m.user_id from inbox_messages m
      where m.file_id = files.id and files.owner_id = ${user_id} and m.user_id <> ${user_id}
      returning files.owner_id, files.size_bytes)
    update users set storage_bytes = storage_bytes + h.bytes
    from (select owner_id, sum(size_bytes) as bytes from handed_on group by owner_id) h where users.id = h.owner_id`);
  const own = await db.many<{ id: string }>(sql`
    delete from inbox_messages where id = ${some('inbox_messages', 'user_id')} returning id`);
  const recordings = await db.many<{ id: string }>(sql`
    delete from recordings where id = any(array(
      select id from recordings where started_by = ${user_id} and state not in ('announced', 'recording')
      order by id limit ${portion})) returning id`);
  await releaseFiles(
    db,
    [...own, ...recordings].map(({ id }) => id),
    now,
  );
  await db.run(sql`delete from file_uses using files where files.id = file_id and files.owner_id = ${user_id}`);
  await db.run(sql`update files set unused_since = '-infinity' where owner_id = ${user_id}`);
  return [own.length, recordings.length];
}

/** Removes the rows of a deleted account that its tags do not take with them. */
export const startAccountPurge = job<{ user_id: string }>({
  name: 'accounts.clear',
  max_attempts: 20,
  async run({ user_id }, services) {
    await inChange(services, async (change) => {
      const { db } = change;
      const some = (table: string, column: string) =>
        sql`any(array(select id from ${raw(table)} where ${raw(column)} = ${user_id} order by id limit ${portion}))`;
      const follows = await deleteFollows(change, sql`f.id = ${some('follows', 'follower_id')}`);
      const requests = await cancelRequests(
        change,
        sql`r.id = any(array(
          select id from follow_requests where user_id = ${user_id} and state in ('pending', 'declined')
          order by id limit ${portion}))`,
        services.public_url,
      );
      const statuses = await db.many<{ id: string }>(
        sql`select id from statuses where author_id = ${user_id} order by id limit ${portion}`,
      );
      await purgeStatuses(
        change,
        statuses.map(({ id }) => id),
      );
      const acts: { id: string }[] = [];
      for (const table of ['replies', 'comments'])
        acts.push(
          ...(await db.many<{ id: string }>(
            sql`delete from ${raw(table)} where id = ${some(table, 'author_id')} returning id`,
          )),
        );
      await clearNotifications(
        change,
        acts.map(({ id }) => id),
      );
      await withdrawInvites(change, sql`i.id = ${some('group_invites', 'user_id')}`);
      const invites = await db.run(sql`delete from group_invites where id = ${some('group_invites', 'user_id')}`);
      await db.run(sql`delete from contact_import_previews where owner_id = ${user_id}`);
      const imports = await db.run(sql`
        delete from contact_imports where id = any(array(
          select id from contact_imports where owner_id = ${user_id} order by id limit ${portion_of_imports}::int))`);
      const contacts = await db.run(sql`delete from contacts where id = ${some('contacts', 'owner_id')}`);
      await db.run(sql`delete from contact_counts where owner_id = ${user_id} and count = 0`);
      const told = await db.run(sql`delete from notifications where id = ${some('notifications', 'user_id')}`);
      await db.run(sql`delete from events where topic = ${`stream:${user_id}`}`);
      // Before the blocks go: whom one kept apart does not see the thread again.
      const threads = await clearThreads(change, user_id, portion);
      await db.run(sql`delete from blocks where blocker_id = ${user_id} or blocked_id = ${user_id}`);
      const media = await purgeMedia(change, user_id, some);
      const counts = [follows.length, requests, statuses.length, acts.length, invites, contacts, threads, told];
      const found = [...counts, ...media];
      let has_more = imports >= portion_of_imports;
      for (const { purgeAccount } of services.lifecycles)
        has_more = (await purgeAccount?.(change, user_id, portion)) === true || has_more;
      if (has_more || found.some((count) => count >= portion)) change.enqueue(startAccountPurge, { user_id });
    });
  },
});
