import type { Reply } from '@asterism/sdk';

export type ImportPreview = Reply<'contacts', 'previewContactImport'>;
export type ImportRow = ImportPreview['rows'][number];
export type ImportBatch = Reply<'contacts', 'listContactImports'>['items'][number];
export type ImportRollback = Reply<'contacts', 'rollbackContactImport'>;

/** What is to become of a row, as its heading. */
export const ACTIONS: Readonly<Record<ImportRow['action'], string>> = {
  create: 'New',
  update: 'Added to',
  skip: 'Skipped',
};

const REASONS: Readonly<Record<NonNullable<ImportRow['reason']>, string>> = {
  unchanged: 'You have all of it already.',
  duplicate: 'Another row of this file is the same.',
  invalid: 'Nothing in it can be kept.',
};

/** What happens to a row and why, in one sentence. */
export function describeRow({ action, reason }: ImportRow): string {
  if (action === 'create') return 'Will be a new contact.';
  if (action === 'update') return 'Adds what is missing to a contact that you have.';
  return reason === undefined ? 'Will be skipped.' : REASONS[reason];
}

const FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  phones: 'Phone number',
  emails: 'E-mail address',
  im: 'Handle',
  tag_name: 'Tag',
  birthday: 'Birthday',
  addresses: 'Addresses',
  note: 'Note',
  version: 'The version of the card',
};

/** What of a row is left out or cut, a sentence each: `phones.1.number` is the second phone number. */
export function describeLeftOut(errors: ImportRow['errors']): string[] {
  return Object.entries(errors ?? {}).map(([path, message]) => {
    const [field = '', place] = path.split('.');
    const name = FIELDS[field] ?? path;
    return `${name}${place !== undefined && /^\d+$/.test(place) ? ` ${Number(place) + 1}` : ''} ${message}.`;
  });
}

/** The name of a row, or what else tells whom it means. */
export function nameRow({ contact, row }: ImportRow): string {
  const found = [contact?.name, contact?.phones[0]?.number, contact?.emails[0]?.address];
  return found.find((text) => text !== undefined && text !== '') ?? `Row ${row}`;
}

/** Whether a row changes anything, so that it can be chosen. */
export const canChoose = ({ action }: ImportRow): boolean => action !== 'skip';

/**
 * The rows that are to be taken.
 * @returns undefined when all that can be chosen are: then what is skipped is counted with them
 */
export function rowsToTake(rows: readonly ImportRow[], put_aside: ReadonlySet<number>): number[] | undefined {
  const chosen = rows.filter((one) => canChoose(one) && !put_aside.has(one.row));
  return chosen.length === rows.filter(canChoose).length ? undefined : chosen.map(({ row }) => row);
}

const SOURCES: Readonly<Record<ImportBatch['source'], string>> = { vcard: 'vCard', csv: 'CSV', json: 'JSON' };

/** What an import did, in one line. */
export function describeBatch({ source, created, updated, skipped }: ImportBatch): string {
  return `${SOURCES[source]}: ${created} new, ${updated} added to, ${skipped} skipped`;
}

/** What became of an import that was undone. */
export function describeRollback(left_count: number): string {
  if (left_count === 0) return 'Undone. Your contacts are as they were before it.';
  const stays = left_count === 1 ? 'One contact stays as it is' : `${left_count} contacts stay as they are`;
  return `Undone. ${stays}, because you changed or deleted what it left.`;
}
