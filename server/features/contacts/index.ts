import { contactDeleted, contactUpdated } from '../../domain/contacts.ts';
import { feature } from '../../kernel/endpoint.ts';
import { createContact } from './create-contact.ts';
import { deleteContact } from './delete-contact.ts';
import { editContact } from './edit-contact.ts';
import { getContact } from './get-contact.ts';
import { listContacts } from './list-contacts.ts';

export const contacts = feature({
  area: 'contacts',
  title: 'Contacts',
  endpoints: [listContacts, createContact, getContact, editContact, deleteContact],
  events: [contactUpdated, contactDeleted],
});
