import { deleteFollows, type FollowRow } from '../../domain/social/follows.ts';
import { lockRequest, request_columns, type RequestRow } from '../../domain/social/follow-requests.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { tagColumns, type TagRow } from '../../domain/social/tags.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { type Queryable, sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/**
 * Updates a request that the caller has locked. A decline is stored separately from the state, because it also applies
 * to later requests of the same person; undoing it, or accepting, clears it.
 */
export async function updateRequest(
  { db, now }: Pick<Change, 'db' | 'now'>,
  id: string,
  state: RequestRow['state'],
): Promise<void> {
  const decided_at = state === 'pending' ? null : now;
  await db.run(sql`
    update follow_requests set state = ${state}, decided_at = ${decided_at}::timestamptz,
      declined_at = case when ${state} = 'declined' then ${now}::timestamptz when ${state} = 'cancelled' then declined_at end
    where id = ${id}`);
  if (state === 'pending' || state === 'accepted') {
    await db.run(sql`
      update follow_requests r set declined_at = null from follow_requests one
      where one.id = ${id} and r.user_id = one.user_id and r.tag_id = one.tag_id and r.declined_at is not null`);
  }
}

/** The number of open requests for a tag's owner. */
export const countWaiting = (owner_id: string, now: Date): Sql => sql`
  select count(*)::int as count from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
  where r.owner_id = ${owner_id} and r.state = 'pending' and r.expires_at > ${now}
    and t.deleted_at is null and ${maySeeUser(owner_id)}`;

/** The two people of a follow request, whoever asks. */
export function selectConcerned(
  db: Queryable,
  request_id: string,
): Promise<Pick<RequestRow, 'user_id' | 'owner_id'> | undefined> {
  return db.maybe<Pick<RequestRow, 'user_id' | 'owner_id'>>(
    sql`select user_id, owner_id from follow_requests where id = ${request_id}`,
  );
}

/** Locks a follow request for the owner of the tag or for the requester, if they see the other. */
export function lockRequestOf(db: Queryable, request_id: string, user_id: string): Promise<RequestRow | undefined> {
  return lockRequest(
    db,
    sql`r.id = ${request_id} and t.deleted_at is null and r.state <> 'expired' and (
      (r.owner_id = ${user_id} and ${maySeeUser(user_id)})
      or (r.user_id = ${user_id} and exists (
        select 1 from users o where o.id = r.owner_id and ${maySeeUser(user_id, 'o')})))`,
  );
}

/** A follow request that was just decided. */
export const lockDecided = (db: Queryable, request_id: string): Promise<RequestRow | undefined> =>
  lockRequest(db, sql`r.id = ${request_id}`);

/** The follow requests for tags of an owner. */
export function selectIncoming(
  db: Queryable,
  owner_id: string,
  { state, ...page }: Page & { state: RequestRow['state'] },
  now: Date,
): Promise<RequestRow[]> {
  const waits = state === 'pending' ? sql`and r.expires_at > ${now}` : sql``;
  return db.many<RequestRow>(sql`
    select ${request_columns} from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
    where r.owner_id = ${owner_id} and r.state = ${state} ${waits} and t.deleted_at is null and ${maySeeUser(owner_id)}
    ${pageOf(page, 'r.id')}`);
}

/** The open follow requests of a person; declined ones look open to them. */
export function selectOutgoing(db: Queryable, viewer: Viewer, page: Page): Promise<RequestRow[]> {
  // The inner `u` is the tag's owner, as in the visibility rules of tags; the outer one is the requester.
  return db.many<RequestRow>(sql`
    select ${request_columns} from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
    where r.user_id = ${viewer.id} and r.state in ('pending', 'declined') and r.expires_at > ${viewer.now}
      and exists (select 1 from users u where u.id = t.owner_id and ${mayOpenTag(viewer.id)})
    ${pageOf(page, 'r.id')}`);
}

/** A follower, with those of the owner's tags that they follow. */
export type FollowerRow = {
  id: string;
  user: PublicUserRow;
  tags: Pick<TagRow, 'id' | 'name' | 'title'>[];
  followed_at: Date;
};

/**
 * The followers of any tag of an owner. Sorted by their first follow: sorted by the newest, a person who follows another
 * tag while a reader pages would move and be skipped.
 */
export function selectFollowers(db: Queryable, owner_id: string, page: Page): Promise<FollowerRow[]> {
  return db.many<FollowerRow>(sql`
    select f.id, ${publicUserJson('u')} as user, f.created_at as followed_at, (
      select json_agg(json_build_object('id', t.id, 'name', t.name, 'title', t.title) order by o.id desc)
      from follows o join tags t on t.id = o.tag_id
      where o.owner_id = ${owner_id} and o.follower_id = f.follower_id and t.deleted_at is null) as tags
    from follows f join users u on u.id = f.follower_id
    where f.owner_id = ${owner_id} and ${maySeeUser(owner_id)}
      and exists (select 1 from tags t where t.id = f.tag_id and t.deleted_at is null)
      and not exists (
        select 1 from follows older join tags t on t.id = older.tag_id
        where older.owner_id = f.owner_id and older.follower_id = f.follower_id and older.id < f.id and t.deleted_at is null)
    ${pageOf(page, 'f.id')}`);
}

/** The tags that a person follows and may open. */
export function selectFollowed(
  db: Queryable,
  viewer: Viewer,
  page: Page,
): Promise<(TagRow & { follow_id: string; followed_at: Date })[]> {
  return db.many(sql`
    select ${tagColumns(viewer)}, own.id as follow_id, own.created_at as followed_at
    from follows own join tags t on t.id = own.tag_id join users u on u.id = t.owner_id
    where own.follower_id = ${viewer.id} and ${mayOpenTag(viewer.id)} ${pageOf(page, 'own.id')}`);
}

/** Ends the follows of one person of all tags of another. */
export const removeFollows = (change: Change, follower_id: string, owner_id: string): Promise<FollowRow[]> =>
  deleteFollows(change, sql`f.follower_id = ${follower_id} and f.owner_id = ${owner_id}`);
