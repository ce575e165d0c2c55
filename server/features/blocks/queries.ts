import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** Inserts a block, or finds the existing one. The caller has locked the pair. */
export async function insertBlock(
  { db, id, now }: Change,
  blocker_id: string,
  blocked_id: string,
): Promise<{ id: string; created_at: Date; fresh: boolean }> {
  const block_id = id('blk');
  return db.one(sql`
    insert into blocks (id, blocker_id, blocked_id, created_at) values (${block_id}, ${blocker_id}, ${blocked_id}, ${now})
    on conflict (blocker_id, blocked_id) do update set blocker_id = excluded.blocker_id
    returning id, created_at, id = ${block_id} as fresh`);
}

/** Somebody whom others can block, whether they see them or not; undefined when the account was deleted. */
export function selectBlockable(db: Queryable, user_id: string): Promise<{ user: PublicUserRow } | undefined> {
  return db.maybe<{ user: PublicUserRow }>(
    sql`select ${publicUserJson('u')} as user from users u where u.id = ${user_id} and u.deleted_at is null`,
  );
}

/** Deletes a block. @returns whether there was one */
export async function removeBlock(db: Queryable, blocker_id: string, blocked_id: string): Promise<boolean> {
  return (await db.run(sql`delete from blocks where blocker_id = ${blocker_id} and blocked_id = ${blocked_id}`)) > 0;
}

export type BlockRow = { id: string; user: PublicUserRow; created_at: Date };

export function selectBlocks(db: Queryable, blocker_id: string, page: Page): Promise<BlockRow[]> {
  return db.many<BlockRow>(sql`
    select b.id, ${publicUserJson('u')} as user, b.created_at from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = ${blocker_id} and u.deleted_at is null ${pageOf(page, 'b.id')}`);
}
