import { planImport } from '../../domain/contact-merging.ts';
import { most_rows } from '../../domain/contact-files.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { contactsImported, presentImport } from './events.ts';
import {
  insertContacts,
  insertImport,
  keepable,
  keepBefore,
  keepMade,
  lockBook,
  lockUnchanged,
  refuseMore,
  selectBook,
  selectPreview,
  updateContacts,
  type ImportRecord,
  type PreviewRow,
} from './queries.ts';
import { ImportBatch } from './schemas.ts';

export const commitContactImport = endpoint({
  id: 'commitContactImport',
  route: 'POST /contacts/import',
  summary: 'Import commit: all of a preview or some of its rows, as one',
  body: object({
    preview_id: idOf('imp'),
    rows: optional(
      Type.Array(Type.Integer({ minimum: 1 }), { maxItems: most_rows, description: 'Which rows; all unless told.' }),
    ),
  }),
  reply: ImportBatch,
  status: [201],
  errors: ['gone', 'conflict'],
  async run({ body, caller, services, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await lockBook(db, me);
    const preview = await selectPreview(db, body.preview_id, me, now);
    if (!preview) invalid({ preview_id: 'names no preview of yours' });
    if (!preview.is_open) fail('gone');
    const wanted = body.rows && new Set(body.rows);
    const known = new Set(preview.rows.map(({ row }) => row));
    if (wanted && !wanted.isSubsetOf(known)) invalid({ rows: 'names a row that the preview has not' });
    const rows = preview.rows.filter(({ row }) => !wanted || wanted.has(row));
    const source = preview.source as ImportRecord['source'];
    const batch = presentImport(await writeRows(change, me, source, rows, services.limits.contacts));
    await db.run(sql`update contact_import_previews set used_at = ${now}, rows = '[]' where id = ${body.preview_id}`);
    change.emit(contactsImported, [`user:${me}`], { batch });
    return batch;
  },
});

/**
 * Decides anew over the book as it is now, and writes all of it. Contacts that were edited in between are decided about
 * once more: by then their rows are locked.
 */
async function writeRows(
  change: Pick<Change, 'db' | 'now' | 'id'>,
  owner_id: string,
  source: ImportRecord['source'],
  rows: PreviewRow[],
  limit: number,
): Promise<ImportRecord> {
  const { db, now } = change;
  const book = await selectBook(db, owner_id);
  const decisions = await planImport(book, keepable(rows));
  const touched = new Set(decisions.filter(({ action }) => action === 'update').map(({ entry }) => entry));
  const changed = book.filter((entry) => touched.has(entry));
  if (!(await lockUnchanged(db, changed))) return writeRows(change, owner_id, source, rows, limit);
  const made = decisions
    .filter(({ action }) => action === 'create')
    .map(({ entry }) => ({ ...entry.draft, id: change.id('con') }));
  if (book.length + made.length > limit) refuseMore(limit);
  const ids = { made: made.map(({ id }) => id), changed: changed.map(({ id }) => id) };
  const counts = { created: made.length, updated: changed.length, skipped: rows.length - made.length - changed.length };
  const batch = await insertImport(change, { id: change.id('imp'), source, ...counts }, owner_id);
  await keepBefore(db, batch.id, ids.changed);
  await insertContacts(db, owner_id, made, now);
  await updateContacts(
    db,
    changed.map(({ id, draft }) => ({ ...draft, id })),
    now,
  );
  await keepMade(db, batch.id, ids.made);
  return batch;
}
