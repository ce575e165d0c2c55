import { Contact, presentContact, requireContact } from '../../domain/contacts/contacts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const getContact = endpoint({
  id: 'getContact',
  route: 'GET /contacts/{contact_id}',
  summary: 'Get a contact',
  path: object({ contact_id: idOf('con') }),
  reply: Contact,
  async run({ path, caller, db, services }) {
    return presentContact(await requireContact(db, path.contact_id, caller.user_id), { services });
  },
});
