/** The statements of imports and of their rollback. */
import { type Queryable, sql } from '../../../kernel/database/database.ts';
import { type Page, pageOf } from '../../../kernel/page.ts';
import type { ImportRecord } from '../queries.ts';

/** The imports of an owner, newest first. */
export function selectImports(db: Queryable, owner_id: string, page: Page): Promise<ImportRecord[]> {
  return db.many<ImportRecord>(sql`select * from contact_imports where owner_id = ${owner_id} ${pageOf(page, 'id')}`);
}

/** An import of an owner. */
export function selectImport(db: Queryable, id: string, owner_id: string): Promise<ImportRecord | undefined> {
  return db.maybe<ImportRecord>(sql`select * from contact_imports where id = ${id} and owner_id = ${owner_id}`);
}

/** Marks a preview as imported, and deletes its rows. */
export async function closePreview(db: Queryable, id: string, now: Date): Promise<void> {
  await db.run(sql`update contact_import_previews set used_at = ${now}, rows = '[]' where id = ${id}`);
}

/** Deletes what is stored for the rollback of contacts that were rolled back. */
export async function deleteUndone(db: Queryable, import_id: string, contact_ids: string[]): Promise<void> {
  await db.run(sql`
    delete from contact_import_changes where import_id = ${import_id} and contact_id = any(${contact_ids}::text[])`);
}

/** @param left_count how many contacts were changed since, and therefore not rolled back */
export function markRolledBack(db: Queryable, id: string, left_count: number, now: Date): Promise<ImportRecord> {
  return db.one<ImportRecord>(sql`
    update contact_imports set state = 'rolled_back', rolled_back_at = ${now}, left_count = ${left_count}
    where id = ${id} returning *`);
}
