import { contactDeleted } from '../../domain/contacts/contacts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { fail } from '../../kernel/errors.ts';
import { deleteContacts } from './rules/delete-contacts.ts';
import { lockContactForChange } from './queries.ts';

export const deleteContact = endpoint({
  id: 'deleteContact',
  route: 'DELETE /contacts/{contact_id}',
  summary: 'Delete a contact',
  description: 'Also removes it from your groups.',
  path: object({ contact_id: idOf('con') }),
  async run({ path, caller, ...change }) {
    const id = path.contact_id;
    if (!(await lockContactForChange(change.db, id, caller.user_id))) fail('not_found');
    await deleteContacts(change, [id]);
    change.emit(contactDeleted, [`user:${caller.user_id}`], { id });
  },
});
