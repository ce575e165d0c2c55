import { Contact, contactUpdated, presentContact, requireContact } from '../../domain/contacts/contacts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { lockContactForChange, updateContact } from './queries.ts';

export const removeContactPhoto = endpoint({
  id: 'removeContactPhoto',
  route: 'DELETE /contacts/{contact_id}/photo',
  summary: 'Remove the photo of a contact',
  extension: true,
  path: object({ contact_id: idOf('con') }),
  reply: Contact,
  async run({ caller, path, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await lockContactForChange(db, path.contact_id, me);
    const before = await requireContact(db, path.contact_id, me);
    if ((before.details.photo ?? null) === null) return presentContact(before, change);
    await updateContact(db, before.id, { ...before, details: { ...before.details, photo: null } }, now);
    const contact = presentContact(await requireContact(db, before.id, me), change);
    change.emit(contactUpdated, [`user:${me}`], { contact });
    return contact;
  },
});
