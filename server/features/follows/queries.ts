import type { RequestRow } from '../../domain/social/follows.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';

/**
 * Updates a request that the caller has locked. A decline is stored separately from the state, because it also applies
 * to later requests of the same person; undoing it, or accepting, clears it.
 */
export async function moveRequest(
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
