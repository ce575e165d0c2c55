import { sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';

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
