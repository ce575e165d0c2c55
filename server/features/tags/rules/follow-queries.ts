/** The statements of following a tag, and of its followers. */
import { publicUserJson, type PublicUserRow } from '../../../domain/accounts/accounts.ts';
import { deleteFollows } from '../../../domain/social/follows.ts';
import { cancelRequests } from '../../../domain/social/follow-requests.ts';
import { maySeeUser } from '../../../domain/visibility/people.ts';
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import { type Queryable, sql } from '../../../kernel/database/database.ts';
import { type Page, pageOf } from '../../../kernel/page.ts';
import type { Change } from '../../../kernel/services.ts';

/**
 * How many tags an account, whose follows the caller has locked, follows or has requested to follow. Declined requests
 * count as long as they look pending to the requester: a free place would reveal the decline.
 */
export async function countFollows({ db, now }: Pick<Change, 'db' | 'now'>, follower_id: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select ((select count(*) from follows where follower_id = ${follower_id})
      + (select count(*) from follow_requests
          where user_id = ${follower_id} and state in ('pending', 'declined') and expires_at > ${now}))::int as count`);
  return count;
}

/** Ends the follow of a tag, and cancels the request for one. */
export async function endFollow(change: Change, follower_id: string, tag_id: string): Promise<void> {
  await deleteFollows(change, sql`f.follower_id = ${follower_id} and f.tag_id = ${tag_id}`);
  await cancelRequests(change, sql`r.user_id = ${follower_id} and r.tag_id = ${tag_id}`);
}

export type TagFollowerRow = { id: string; user: PublicUserRow; followed_at: Date };

/** The followers of a tag whom a viewer sees, newest first. */
export function selectFollowers(db: Queryable, tag_id: string, viewer: Viewer, page: Page): Promise<TagFollowerRow[]> {
  return db.many<TagFollowerRow>(sql`
    select f.id, ${publicUserJson('u')} as user, f.created_at as followed_at
    from follows f join users u on u.id = f.follower_id
    where f.tag_id = ${tag_id} and ${maySeeUser(viewer.id)} ${pageOf(page, 'f.id')}`);
}
