import { import_sources, ImportRow } from '../../domain/contacts/contact-imports.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, moment, nullable, object, oneOf, Type } from '../../kernel/schema.ts';

const count = Type.Integer({ minimum: 0 });

/** How long a preview can be committed, in seconds. */
export const preview_term_s = 60 * 60;

export const ImportPreview = component(
  'ContactImportPreview',
  object({
    preview_id: idOf('imp'),
    expires_at: moment,
    source: oneOf(...import_sources),
    rows: Type.Array(ImportRow, { maxItems: default_limits.import_rows }),
    counts: object({ create: count, update: count, skip: count }),
  }),
);

/** The states of an import: its changes are in the address book, or were undone. */
export const import_states = ['committed', 'rolled_back'] as const;

const batch = {
  id: idOf('imp'),
  source: oneOf(...import_sources),
  state: oneOf(...import_states),
  created: count,
  updated: count,
  skipped: count,
  left_count: Type.Integer({ minimum: 0, description: 'The number of contacts that a rollback did not change.' }),
  created_at: moment,
  rolled_back_at: nullable(moment),
};

export const ImportBatch = component('ContactImport', object(batch));

export const ImportRollback = component(
  'ContactImportRollback',
  object({
    ...batch,
    left: Type.Array(object({ contact_id: idOf('con'), reason: oneOf('edited', 'deleted') }), {
      maxItems: default_limits.import_rows,
      description: 'What was not restored because it was edited or deleted after the import.',
    }),
  }),
);
