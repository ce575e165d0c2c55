import {
  completeDraft,
  contactFields,
  ContactName,
  normaliseContact,
  selectRegion,
  countAddresses,
  consumeLookupBudget,
} from '../../domain/contacts/contact-drafts.ts';
import { Contact, contactUpdated, presentContact } from '../../domain/contacts/contacts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { insertContact } from './rules/insert-contact.ts';

export const createContact = endpoint({
  id: 'createContact',
  route: 'POST /contacts',
  summary: 'Add a contact',
  body: object({ name: ContactName, ...contactFields }),
  reply: Contact,
  status: [201],
  is_transactional: true,
  errors: ['limit_reached'],
  async run({ body, caller, consume, ...change }) {
    const region = body.phones?.length ? await selectRegion(change.db, caller.user_id) : undefined;
    const { draft, wrong } = normaliseContact(body, region);
    if (Object.keys(wrong).length > 0) invalid(wrong);
    await consumeLookupBudget(consume, caller.user_id, countAddresses(draft));
    const row = await insertContact(change, caller.user_id, completeDraft(draft), change.services.limits.contacts);
    const contact = presentContact(row, change);
    change.emit(contactUpdated, [`user:${caller.user_id}`], { contact });
    return contact;
  },
});
