import { contactDeleted } from '../../domain/contacts/contacts.ts';
import { deleteContacts } from './rules/delete-contacts.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteContact = endpoint({
  id: 'deleteContact',
  route: 'DELETE /contacts/{contact_id}',
  summary: 'Delete a contact',
  description: 'Also removes it from your groups.',
  path: object({ contact_id: idOf('con') }),
  async run({ path, caller, services, ...change }) {
    const row = await change.db.maybe<{ id: string }>(
      sql`select id from contacts where id = ${path.contact_id} and owner_id = ${caller.user_id} for update`,
    );
    const { id } = found(row);
    await deleteContacts(change, services, [id]);
    change.emit(contactDeleted, [`user:${caller.user_id}`], { id });
  },
});
