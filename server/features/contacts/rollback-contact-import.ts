import { deleteContacts } from './rules/delete-contacts.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { contactsImported, presentImport } from './events.ts';
import { lockBook, restoreContacts, selectUndo, type ImportRecord } from './queries.ts';
import { ImportRollback } from './schemas.ts';

export const rollbackContactImport = endpoint({
  id: 'rollbackContactImport',
  route: 'POST /contacts/imports/{batch_id}/rollback',
  summary: 'Roll back a contact import',
  description: 'Undoes exactly that import and keeps later edits.',
  path: object({ batch_id: idOf('imp') }),
  reply: ImportRollback,
  errors: ['already_rolled_back'],
  async run({ path, caller, services, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await change.deferEvents();
    await lockBook(db, me);
    const batch = found(
      await db.maybe<ImportRecord>(sql`select * from contact_imports where id = ${path.batch_id} and owner_id = ${me}`),
    );
    // A rollback that left out contacts changed by a later import may be repeated after the rollback of that import.
    if (batch.state === 'rolled_back' && batch.left_count === 0)
      fail('already_rolled_back', { message: 'This import has already been rolled back.' });
    const undo = await selectUndo(db, batch.id);
    const idsOf = (act: string) => undo.filter((one) => one.act === act).map(({ contact_id }) => contact_id);
    await deleteContacts(change, services, idsOf('remove'));
    await restoreContacts(db, batch.id, idsOf('restore'));
    const undone = [...idsOf('remove'), ...idsOf('restore'), ...idsOf('none')];
    await db.run(sql`
      delete from contact_import_changes where import_id = ${batch.id} and contact_id = any(${undone}::text[])`);
    const left = undo.flatMap(({ contact_id, act }) =>
      act === 'edited' || act === 'deleted' ? [{ contact_id, reason: act }] : [],
    );
    const rolled_back = await db.one<ImportRecord>(sql`
      update contact_imports set state = 'rolled_back', rolled_back_at = ${now}, left_count = ${left.length}
      where id = ${batch.id} returning *`);
    const presented = presentImport(rolled_back);
    change.emit(contactsImported, [`user:${me}`], { batch: presented });
    return { ...presented, left };
  },
});
