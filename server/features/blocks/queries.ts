import { deletedUserJson, publicUserJson } from '../../domain/accounts/accounts.ts';
import { wasSeen } from '../../domain/visibility/blocked-people.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';
import type { BlockRow } from './schemas.ts';

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

/**
 * Whether an account can be blocked. A deleted or suspended one can, as somebody who has blocked the caller: a refusal
 * would tell them apart.
 */
export async function isBlockable(db: Queryable, user_id: string): Promise<boolean> {
  return (await db.one<{ exists: boolean }>(sql`select exists (select 1 from users where id = ${user_id})`)).exists;
}

/** Deletes a block. @returns whether there was one */
export async function removeBlock(db: Queryable, blocker_id: string, blocked_id: string): Promise<boolean> {
  return (await db.run(sql`delete from blocks where blocker_id = ${blocker_id} and blocked_id = ${blocked_id}`)) > 0;
}

const blockedJson = sql`case when ${wasSeen} then ${publicUserJson('u')} else ${deletedUserJson('u')} end`;

/** The blocks of a person, newest first. */
export function selectBlocks(db: Queryable, blocker_id: string, page: Page): Promise<BlockRow[]> {
  return db.many<BlockRow>(sql`
    select b.id, ${blockedJson} as user, b.created_at from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = ${blocker_id} and (u.deleted_at is null or not ${wasSeen}) ${pageOf(page, 'b.id')}`);
}

/** A block, as its creator sees it. */
export function selectBlock(db: Queryable, id: string): Promise<BlockRow> {
  return db.one<BlockRow>(sql`
    select b.id, ${blockedJson} as user, b.created_at from blocks b join users u on u.id = b.blocked_id where b.id = ${id}`);
}
