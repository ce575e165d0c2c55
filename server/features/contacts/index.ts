import { contactDeleted, contactUpdated } from '../../domain/contacts/contacts.ts';
import { removePhoto } from '../../domain/contacts/contact-photos.ts';
import { feature } from '../../kernel/endpoint.ts';
import { commitContactImport } from './commit-contact-import.ts';
import { createContact } from './create-contact.ts';
import { deleteContact } from './delete-contact.ts';
import { editContact } from './edit-contact.ts';
import { contactsImported } from './events.ts';
import { getContactPhoto } from './get-contact-photo.ts';
import { getContact } from './get-contact.ts';
import { listContactImports } from './list-contact-imports.ts';
import { listContacts } from './list-contacts.ts';
import { previewContactImport } from './preview-contact-import.ts';
import { removeContactPhoto } from './remove-contact-photo.ts';
import { rollbackContactImport } from './rollback-contact-import.ts';
import { setContactPhoto } from './set-contact-photo.ts';
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
    setContactPhoto,
    removeContactPhoto,
    getContactPhoto,
  ],
  events: [contactUpdated, contactDeleted, contactsImported],
  jobs: [removePhoto],
  lifecycle,
});
