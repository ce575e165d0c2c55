import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { deleteContacts } from './rules/delete-contacts.ts';
import { contactsImported, presentImport } from './events.ts';
import { lockBook, restoreContacts, selectUndo } from './queries.ts';
import { ImportRollback } from './schemas.ts';
import { deleteUndone, markRolledBack, selectImport } from './rules/import-queries.ts';

export const rollbackContactImport = endpoint({
  id: 'rollbackContactImport',
  route: 'POST /contacts/imports/{batch_id}/rollback',
  summary: 'Roll back a contact import',
  description: 'Undoes exactly that import and keeps later edits.',
  path: object({ batch_id: idOf('imp') }),
  reply: ImportRollback,
  errors: ['already_rolled_back'],
  async run({ path, caller, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await change.deferEvents();
    await lockBook(db, me);
    const batch = found(await selectImport(db, path.batch_id, me));
    // A rollback that left out contacts changed by a later import may be repeated after the rollback of that import.
    if (batch.state === 'rolled_back' && batch.left_count === 0)
      fail('already_rolled_back', { message: 'This import has already been rolled back.' });
    const undo = await selectUndo(db, batch.id);
    const idsOf = (act: string) => undo.filter((one) => one.act === act).map(({ contact_id }) => contact_id);
    await deleteContacts(change, idsOf('remove'));
    await restoreContacts(db, batch.id, idsOf('restore'));
    const undone = [...idsOf('remove'), ...idsOf('restore'), ...idsOf('none')];
    await deleteUndone(db, batch.id, undone);
    const left = undo.flatMap(({ contact_id, act }) =>
      act === 'edited' || act === 'deleted' ? [{ contact_id, reason: act }] : [],
    );
    const rolled_back = await markRolledBack(db, batch.id, left.length, now);
    const presented = presentImport(rolled_back);
    change.emit(contactsImported, [`user:${me}`], { batch: presented });
    return { ...presented, left };
  },
});
