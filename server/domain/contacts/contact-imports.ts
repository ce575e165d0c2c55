/** Contact imports: parsed and planned in a decoder process, so that they do not block the event loop. */
import type { Decode } from '../../kernel/media/decoder.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { Language } from '../../kernel/language/i18n.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import type { EncodedPhoto, PhotoOwner } from './contact-photos.ts';
import type { FoundContact } from './contact-drafts.ts';
import { shownDetails } from './contact-details.ts';
import { Contact } from './contacts.ts';

/** The formats of contact files. */
export const import_sources = ['vcard', 'csv', 'json'] as const;
/** The format of a contact file. */
export type ImportSource = (typeof import_sources)[number];

const { name, phones, emails, tag_name, im, note, favourite } = Contact.properties;

export const ImportRow = component(
  'ContactImportRow',
  object({
    row: Type.Integer({ minimum: 1, description: 'The position of the contact in the input, from 1.' }),
    action: oneOf('create', 'update', 'skip'),
    reason: optional(oneOf('unchanged', 'duplicate', 'invalid')),
    contact: nullable(
      object(
        { name, phones, emails, tag_name, im, note, ...shownDetails, favourite },
        { description: 'The contact to be imported; null if nothing is usable.' },
      ),
    ),
    contact_id: optional(idOf('con')),
    errors: optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: default_limits.import_row_errors,
        description: 'What was dropped or truncated, by field path.',
      }),
    ),
  }),
);

/** The input of a decoder process. Texts are JSON: `rows` of accepted rows, `book` of contacts in portions. */
export type ImportTask =
  | { act: 'read'; bytes: Uint8Array; region: string | undefined; owner: PhotoOwner }
  | { act: 'accept'; found: FoundContact[]; region: string | undefined }
  | { act: 'preview'; rows: string; book: string[]; language: Language }
  | { act: 'commit'; rows: string; wanted: number[] | undefined; book: string[] };

/** The content of a file: `rows` is JSON of AcceptedRow[]. */
export type ImportReading = { source: ImportSource; rows: string; photos: EncodedPhoto[] };

/** The preview of an import. `kept` is JSON of the rows to write later, `shown` of ImportRow[]. */
export type ImportPreviewPlan = {
  kept: string;
  shown: string;
  counts: { create: number; update: number; skip: number };
};

/** Contacts written by one statement: JSON of drafts, with identifier and revision when they are in the book. */
export type ImportPortion = { count: number; contacts: string };

/** The changes of an import. */
export type ImportPlan = {
  /** Whether requested rows are missing from the preview. */
  names_unknown: boolean;
  made: ImportPortion[];
  changed: ImportPortion[];
  counts: { created: number; updated: number; skipped: number };
  /** The phone numbers, e-mails and tags in it, each of which is looked up among the accounts. */
  addresses: number;
};

const script = new URL('contact-imports.task.ts', import.meta.url);

/**
 * Reads a contact file.
 * @param region the region whose dialling rules apply to numbers
 * @throws ApiError `validation_failed` that names `file`
 */
export const readContactFile = (
  decode: Decode,
  bytes: Uint8Array,
  region: string | undefined,
  owner: PhotoOwner,
): Promise<ImportReading> => decode(script, { act: 'read', bytes, region, owner } satisfies ImportTask);

/** Reads contacts sent as JSON, like those of a file. */
export const acceptContacts = (
  decode: Decode,
  found: FoundContact[],
  region: string | undefined,
): Promise<ImportReading> => decode(script, { act: 'accept', found, region } satisfies ImportTask, 'contacts');

/** Plans the import of rows into a book, both as JSON, and reports the errors of each row in a language. */
export const planPreview = (
  decode: Decode,
  rows: string,
  book: string[],
  language: Language,
): Promise<ImportPreviewPlan> => decode(script, { act: 'preview', rows, book, language } satisfies ImportTask);

/** Plans the import of the requested rows of a preview into a book, both as JSON. */
export const planCommit = (
  decode: Decode,
  rows: string,
  wanted: number[] | undefined,
  book: string[],
): Promise<ImportPlan> => decode(script, { act: 'commit', rows, wanted, book } satisfies ImportTask, 'preview_id');

/** An owner's whole address book as JSON, oldest contact first: read in portions, so that no statement takes long. */
export async function selectBook(db: Queryable, owner_id: string): Promise<string[]> {
  const portions: string[] = [];
  for (let after = ''; ;) {
    const { last, contacts } = await db.one<{ last: string | null; contacts: string | null }>(sql`
      select max(b.id) as last, json_agg(b order by b.id)::text as contacts from (
        select id, revision, name, phones, emails, tag_name, im, note, favourite, details from contacts
        where owner_id = ${owner_id} and id > ${after} order by id limit ${default_limits.import_portion}::int) b`);
    if (last === null || contacts === null) return portions;
    portions.push(contacts);
    after = last;
  }
}

/** A fingerprint of the state of a book: the number of its contacts, and the sum of their revisions. */
export async function selectBookState(db: Queryable, owner_id: string): Promise<{ count: number; sum: string }> {
  return db.one<{ count: number; sum: string }>(sql`
    select count(*)::int as count, coalesce(sum(hashtextextended(id, revision)), 0)::text as sum
    from contacts where owner_id = ${owner_id}`);
}
