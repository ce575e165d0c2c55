/** Import events for the owner's devices. */
import { event } from '../../kernel/event.ts';
import { object, type Static } from '../../kernel/schema.ts';
import { wireTime, wireTimeOrNull } from '../../kernel/time.ts';
import type { ImportRecord } from './queries.ts';
import { ImportBatch } from './schemas.ts';

export const contactsImported = event(
  'contact.imported',
  'Contacts were imported, or an import was rolled back: fetch them again.',
  object({ batch: ImportBatch }),
);

/** An import as its owner sees it. */
export function presentImport(row: ImportRecord): Static<typeof ImportBatch> {
  return {
    id: row.id,
    source: row.source,
    state: row.state,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    left_count: row.left_count,
    created_at: wireTime(row.created_at),
    rolled_back_at: wireTimeOrNull(row.rolled_back_at),
  };
}
