import type { Variant } from '../../domain/files/files.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';

/** A deleted file, whose bytes are still stored; its size as text, since it has 64 bits. */
export type UnusedFile = { id: string; owner_id: string; size_bytes: string; variants: Variant[] };

/** Deletes files that nothing has used since a time, those first that have been unused longest. */
export function deleteUnused(db: Queryable, since: Date, portion: number): Promise<UnusedFile[]> {
  return db.many<UnusedFile>(sql`
    with due as (
      select id from files where unused_since <= ${since}
      order by unused_since limit ${portion}::int for update skip locked)
    delete from files using due where files.id = due.id
    returning files.id, files.owner_id, files.size_bytes, files.variants`);
}

export async function subtractStorage(db: Queryable, user_id: string, bytes: number): Promise<void> {
  await db.run(sql`update users set storage_bytes = storage_bytes - ${bytes}::bigint where id = ${user_id}`);
}

/** Those identifiers that are files. */
export async function selectKnown(db: Queryable, ids: string[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`select id from files where id = any(${ids}::text[])`);
  return new Set(rows.map(({ id }) => id));
}
