/**
 * Contact files: detects the format by content, and reads contacts. Runs in a decoder process, within the limits of
 * imports.
 */
import { readTable, TableError } from '../../kernel/formats/csv.ts';
import { invalid, refusalText, type Fields } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { parseJson } from '../../kernel/http/wire.ts';
import { card_versions, CardError, readCards } from '../../kernel/formats/vcard.ts';
import { address_parts, blank_address, type PostalAddress } from './contact-details.ts';
import { findDropped, not_stored, readContactCard } from './contact-cards.ts';
import { emptyFoundContact, type FoundContact } from './contact-drafts.ts';
import { acceptFound } from './contact-merging.ts';
import type { ImportSource } from './contact-imports.ts';
import type { ContactDraft } from './contacts.ts';
import { readHeadings } from './contact-tables.ts';

/** One contact of a file, or why it cannot be read. */
export type FileRow = { found: FoundContact; errors: Fields };

/** The valid part of one contact of a file, if any, and what is invalid. */
export type AcceptedRow = { row: number; draft: ContactDraft | null; errors: Fields };

/**
 * Reads the contacts of a file.
 * @throws ApiError `validation_failed` that names `file` when it is not a contact file, or has too many contacts
 */
export async function parseContactFile(bytes: Uint8Array): Promise<{ source: ImportSource; rows: FileRow[] }> {
  const text = decode(bytes);
  const source = /^\s*begin:vcard/i.test(text) ? 'vcard' : /^\s*[[{]/.test(text) ? 'json' : 'csv';
  const { import_rows, import_values } = default_limits;
  const rows: FileRow[] = [];
  let values = 0;
  for await (const row of readers[source](text)) {
    rows.push(row);
    if (rows.length > import_rows) invalid({ file: `holds more than ${import_rows} contacts` });
    const { phones, emails, im, details } = row.found;
    values += phones.length + emails.length + im.length + details.addresses.length;
    if (values > import_values) invalid({ file: `holds more than ${import_values} numbers and addresses` });
  }
  if (rows.length === 0) invalid({ file: 'contains no contacts' });
  return { source, rows };
}

const [oldest, newest] = card_versions;
const odd_version = refusalText(`is not a supported version: use ${oldest} or ${newest}`);

/** Validates one row. */
export function acceptRow({ found, errors }: FileRow, at: number, region: string | undefined): AcceptedRow {
  const kept = acceptFound(found, region);
  const wrong = Object.entries({ ...kept.errors, ...errors }).slice(0, default_limits.import_row_errors);
  return { row: at + 1, draft: kept.draft ?? null, errors: Object.fromEntries(wrong) };
}

/** UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which older programs write. */
function decode(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : '';
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Removes the apostrophe by which spreadsheets, and the client's export, mark what would otherwise be a formula. */
const unmarkText = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

const readers: Record<ImportSource, (text: string) => AsyncIterable<FileRow> | Iterable<FileRow>> = {
  *vcard(text): Generator<FileRow> {
    try {
      for (const card of readCards(text)) {
        if (card_versions.includes(card.version)) yield { found: readContactCard(card), errors: findDropped(card) };
        else yield { found: emptyFoundContact(), errors: { version: odd_version } };
      }
    } catch (error) {
      if (error instanceof CardError) invalid({ file: error.message }, { cause: error });
      throw error;
    }
  },
  async *csv(text): AsyncGenerator<FileRow> {
    let read: ((cells: string[]) => FoundContact) | undefined;
    try {
      for await (const cells of readTable(text)) {
        if (read) yield { found: read(cells.map(unmarkText)), errors: {} };
        else
          read =
            readHeadings(cells) ??
            invalid({ file: 'has no recognisable column headings and is neither vCard nor JSON' });
      }
    } catch (error) {
      if (error instanceof TableError) invalid({ file: error.message }, { cause: error });
      throw error;
    }
  },
  *json(text): Generator<FileRow> {
    for (const item of listIn(text)) yield { found: readItem(item), errors: findUnknown(item) };
  },
};

/** The contacts of a JSON text: a list, or the member `contacts` or `items`, as in the service's own lists. */
function listIn(text: string): unknown[] {
  const value = readJson(text) as { contacts?: unknown; items?: unknown } | unknown[] | null;
  const list = Array.isArray(value) ? value : (value?.contacts ?? value?.items);
  return Array.isArray(list) ? list : invalid({ file: 'does not contain a list of contacts' });
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    invalid({ file: 'is not valid JSON' }, { cause });
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : '';
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Fields as the service writes them; single values may replace lists of one, and unlabelled values labelled ones. */
function readItem(item: unknown): FoundContact {
  if (!isRecord(item)) return emptyFoundContact();
  const labelled = (lists: unknown[], field: string) =>
    lists.map((one) =>
      isRecord(one) ? { label: textOf(one['label']), value: textOf(one[field]) } : { label: '', value: textOf(one) },
    );
  const [phones, emails] = [
    labelled([...listOf(item['phones']), ...single(item['phone'])], 'number'),
    labelled([...listOf(item['emails']), ...single(item['email'])], 'address'),
  ];
  return {
    name: textOf(item['name']),
    phones: phones.map(({ label, value }) => ({ label, number: value })),
    emails: emails.map(({ label, value }) => ({ label, address: value })),
    im: listOf(item['im'])
      .filter(isRecord)
      .map((one) => ({ network: textOf(one['network']), handle: textOf(one['handle']) })),
    tag_name: textOf(item['tag_name']),
    note: textOf(item['note']),
    favourite: item['favourite'] === true,
    details: {
      organization: textOf(item['organization']),
      job_title: textOf(item['job_title']),
      birthday: textOf(item['birthday']),
      addresses: listOf(item['addresses']).filter(isRecord).map(readAddress),
    },
    photo: '',
  };
}

function readAddress(item: Record<string, unknown>): PostalAddress {
  const address = { ...blank_address, label: textOf(item['label']) };
  for (const name of address_parts) address[name] = textOf(item[name]);
  return address;
}

/** Field names as the service writes them, and accepted aliases. */
const item_fields = new Set([
  'id',
  'name',
  'phones',
  'phone',
  'emails',
  'email',
  'tag_name',
  'im',
  'note',
  'organization',
  'job_title',
  'birthday',
  'addresses',
  'favourite',
  'user',
  'photo_url',
  'created_at',
  'updated_at',
]);

/** Members of an item that are not stored. */
function findUnknown(item: unknown): Fields {
  if (!isRecord(item)) return {};
  const unknown = Object.keys(item).filter((name) => !item_fields.has(name));
  return Object.fromEntries(unknown.slice(0, default_limits.import_row_errors).map((name) => [name, not_stored]));
}

const single = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value]);
