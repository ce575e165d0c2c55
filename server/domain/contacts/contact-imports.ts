/** Imports of contacts: read and planned in a decoder process, so that nobody else waits for it. */
import type { Decode } from '../../kernel/media/decoder.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { Language } from '../../kernel/language/i18n.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import type { EncodedPhoto, PhotoOwner } from './contact-photos.ts';
import type { ContactFound } from './contact-drafts.ts';
import { shownDetails } from './contact-details.ts';
import { Contact } from './contacts.ts';

export const import_sources = ['vcard', 'csv', 'json'] as const;
export type ImportSource = (typeof import_sources)[number];

const { name, phones, emails, tag_name, im, note, favourite } = Contact.properties;

export const ImportRow = component(
  'ContactImportRow',
  object({
    row: Type.Integer({ minimum: 1, description: 'The place of the contact in what was sent, from 1.' }),
    action: oneOf('create', 'update', 'skip'),
    reason: optional(oneOf('unchanged', 'duplicate', 'invalid')),
    contact: nullable(
      object(
        { name, phones, emails, tag_name, im, note, ...shownDetails, favourite },
        { description: 'What the contact will be; null when nothing can be kept.' },
      ),
    ),
    contact_id: optional(idOf('con')),
    errors: optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: default_limits.import_row_errors,
        description: 'What was left out or cut, by the path of its field.',
      }),
    ),
  }),
);

/** What a decoder process is asked. Texts are JSON: `rows` of accepted rows, `book` of contacts in portions. */
export type ImportTask =
  | { act: 'read'; bytes: Uint8Array; region: string | undefined; owner: PhotoOwner }
  | { act: 'accept'; found: ContactFound[]; region: string | undefined }
  | { act: 'preview'; rows: string; book: string[]; language: Language }
  | { act: 'commit'; rows: string; wanted: number[] | undefined; book: string[] };

/** What a file says, and what of it can be kept: JSON of AcceptedRow[]. */
export type ImportReading = { source: ImportSource; rows: string; photos: EncodedPhoto[] };

/** What an import would do. `kept` is JSON of the rows to write later, `shown` of ImportRow[]. */
export type ImportPreviewPlan = {
  kept: string;
  shown: string;
  counts: { create: number; update: number; skip: number };
};

/** Contacts that one statement writes: JSON of drafts, with identifier and revision where they are in the book. */
export type ImportPortion = { count: number; contacts: string };

/** What an import does. */
export type ImportPlan = {
  /** Whether rows were wanted that the preview has not. */
  names_unknown: boolean;
  made: ImportPortion[];
  changed: ImportPortion[];
  counts: { created: number; updated: number; skipped: number };
  /** Numbers, e-mails and tags of what it writes, of which each is looked up among the accounts. */
  addresses: number;
};

const script = new URL('contact-imports.task.ts', import.meta.url);

/**
 * Reads a file of contacts.
 * @param region by whose rules numbers are dialled
 * @throws ApiError `validation_failed` that names `file`
 */
export const readContactFile = (
  decode: Decode,
  bytes: Uint8Array,
  region: string | undefined,
  owner: PhotoOwner,
): Promise<ImportReading> => decode(script, { act: 'read', bytes, region, owner } satisfies ImportTask);

/** Reads contacts that were sent as JSON, as those of a file. */
export const acceptContacts = (
  decode: Decode,
  found: ContactFound[],
  region: string | undefined,
): Promise<ImportReading> => decode(script, { act: 'accept', found, region } satisfies ImportTask, 'contacts');

/** Says what rows would make of a book, both as JSON, and in a language what is wrong with each. */
export const planPreview = (
  decode: Decode,
  rows: string,
  book: string[],
  language: Language,
): Promise<ImportPreviewPlan> => decode(script, { act: 'preview', rows, book, language } satisfies ImportTask);

/** Says what the wanted rows of a preview make of a book, both as JSON. */
export const planCommit = (
  decode: Decode,
  rows: string,
  wanted: number[] | undefined,
  book: string[],
): Promise<ImportPlan> => decode(script, { act: 'commit', rows, wanted, book } satisfies ImportTask, 'preview_id');

/** An owner's whole book as JSON, the oldest contact first: read in portions, so that none takes long. */
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

/** What tells whether a book is as it was: how many contacts it has, and a sum over their revisions. */
export async function selectBookState(db: Queryable, owner_id: string): Promise<{ count: number; sum: string }> {
  return db.one<{ count: number; sum: string }>(sql`
    select count(*)::int as count, coalesce(sum(hashtextextended(id, revision)), 0)::text as sum
    from contacts where owner_id = ${owner_id}`);
}
