import { deleteContacts } from '../../domain/contacts.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteContact = endpoint({
  id: 'deleteContact',
  route: 'DELETE /contacts/{contact_id}',
  summary: 'Delete a contact',
  path: object({ contact_id: idOf('con') }),
  async run({ path, caller, ...change }) {
    const gone = await deleteContacts(change, caller.user_id, sql`c.id = ${path.contact_id}`);
    if (gone.length === 0) fail('not_found');
  },
});
