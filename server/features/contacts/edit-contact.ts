import { isDeepStrictEqual } from 'node:util';
import {
  consumeLookupBudget,
  contactFields,
  ContactName,
  countAddresses,
  normaliseContact,
  selectRegion,
} from '../../domain/contacts/contact-drafts.ts';
import { Contact, contactUpdated, presentContact, requireContact } from '../../domain/contacts/contacts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';
import { lockContactForChange, updateContact } from './queries.ts';

export const editContact = endpoint({
  id: 'editContact',
  route: 'PATCH /contacts/{contact_id}',
  summary: 'Edit a contact',
  description: 'Lists in the body replace the current lists.',
  path: object({ contact_id: idOf('con') }),
  body: object({ name: optional(ContactName), ...contactFields }),
  reply: Contact,
  async run({ path, body, caller, consume, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await lockContactForChange(db, path.contact_id, me);
    const before = await requireContact(db, path.contact_id, me);
    const { draft, wrong } = normaliseContact(body, await selectRegion(db, me));
    if (Object.keys(wrong).length > 0) invalid(wrong);
    const edited = { ...before, ...draft, details: { ...before.details, ...draft.details } };
    // An update without changes is not an edit: a later rollback of an import may still change the contact.
    if (isDeepStrictEqual(edited, before)) return presentContact(before, change);
    await consumeLookupBudget(consume, me, countAddresses(draft));
    await updateContact(db, before.id, edited, now);
    const contact = presentContact(await requireContact(db, before.id, me), change);
    change.emit(contactUpdated, [`user:${me}`], { contact });
    return contact;
  },
});
