import { contactDeleted, contactUpdated } from '../../domain/contacts/contacts.ts';
import { feature } from '../../kernel/endpoint.ts';
import { commitContactImport } from './commit-contact-import.ts';
import { createContact } from './create-contact.ts';
import { deleteContact } from './delete-contact.ts';
import { editContact } from './edit-contact.ts';
import { contactsImported } from './events.ts';
import { getContact } from './get-contact.ts';
import { listContactImports } from './list-contact-imports.ts';
import { listContacts } from './list-contacts.ts';
import { previewContactImport } from './preview-contact-import.ts';
import { rollbackContactImport } from './rollback-contact-import.ts';
import { lifecycle } from './lifecycle.ts';

export const contacts = feature({
  area: 'contacts',
  title: 'Contacts',
  endpoints: [
    listContacts,
    createContact,
    getContact,
    editContact,
    deleteContact,
    previewContactImport,
    commitContactImport,
    listContactImports,
    rollbackContactImport,
  ],
  events: [contactUpdated, contactDeleted, contactsImported],
  lifecycle,
});
