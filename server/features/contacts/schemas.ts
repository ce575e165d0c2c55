import { Contact } from '../../domain/contacts.ts';
import { import_sources } from '../../domain/contact-files.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';

const { name, phones, emails, tag_name, im, note, favourite } = Contact.properties;

export const ImportRow = component(
  'ContactImportRow',
  object({
    row: Type.Integer({ minimum: 1, description: 'The place of the contact in what was sent, from 1.' }),
    action: oneOf('create', 'update', 'skip'),
    reason: optional(oneOf('unchanged', 'duplicate', 'invalid')),
    contact: nullable(
      object(
        { name, phones, emails, tag_name, im, note, favourite },
        { description: 'What the contact will be; null when nothing can be kept.' },
      ),
    ),
    contact_id: optional(idOf('con')),
    errors: optional(
      Type.Record(Type.String(), Type.String(), { description: 'What was left out or cut, by the path of its field.' }),
    ),
  }),
);

const count = Type.Integer({ minimum: 0 });

export const ImportPreview = component(
  'ContactImportPreview',
  object({
    preview_id: idOf('imp'),
    expires_at: moment,
    source: oneOf(...import_sources),
    rows: Type.Array(ImportRow),
    counts: object({ create: count, update: count, skip: count }),
  }),
);

const batch = {
  id: idOf('imp'),
  source: oneOf(...import_sources),
  state: oneOf('committed', 'rolled_back'),
  created: count,
  updated: count,
  skipped: count,
  left_count: Type.Integer({ minimum: 0, description: 'How many contacts a rollback left as they were.' }),
  created_at: moment,
  rolled_back_at: nullable(moment),
};

export const ImportBatch = component('ContactImport', object(batch));

export const ImportRollback = component(
  'ContactImportRollback',
  object({
    ...batch,
    left: Type.Array(object({ contact_id: idOf('con'), reason: oneOf('edited', 'deleted') }), {
      description: 'What is not as it was before the import, because it was edited or deleted since.',
    }),
  }),
);
