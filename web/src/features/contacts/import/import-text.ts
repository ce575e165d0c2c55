import type { Reply } from '@asterism/sdk';
import { i18n } from '../../../i18n/i18n.ts';

export type ImportPreview = Reply<'contacts', 'previewContactImport'>;
export type ImportRow = ImportPreview['rows'][number];
export type ImportBatch = Reply<'contacts', 'listContactImports'>['items'][number];
export type ImportRollback = Reply<'contacts', 'rollbackContactImport'>;

/** The heading of each action on a row. */
export const ACTIONS: Readonly<Record<ImportRow['action'], string>> = {
  get create() {
    return i18n.t('New');
  },
  get update() {
    return i18n.t('Updated');
  },
  get skip() {
    return i18n.t('Skipped');
  },
};

const REASONS: Readonly<Record<NonNullable<ImportRow['reason']>, string>> = {
  get unchanged() {
    return i18n.t('You already have all of it.');
  },
  get duplicate() {
    return i18n.t('Same as another row of this file.');
  },
  get invalid() {
    return i18n.t('Nothing in it can be imported.');
  },
};

/** The action on a row and its reason, in one sentence. */
export function describeRow({ action, reason }: ImportRow): string {
  if (action === 'create') return i18n.t('Will be a new contact.');
  if (action === 'update') return i18n.t('Adds missing details to one of your contacts.');
  return reason === undefined ? i18n.t('Will be skipped.') : REASONS[reason];
}

const FIELDS: Readonly<Record<string, string>> = {
  get name() {
    return i18n.t('Name');
  },
  get phones() {
    return i18n.t('Phone number');
  },
  get emails() {
    return i18n.t('E-mail address');
  },
  get im() {
    return i18n.t('Username');
  },
  get tag_name() {
    return i18n.t('Tag');
  },
  get birthday() {
    return i18n.t('Birthday');
  },
  get addresses() {
    return i18n.t('Addresses');
  },
  get note() {
    return i18n.t('Note');
  },
  get organization() {
    return i18n.t('Organisation');
  },
  get job_title() {
    return i18n.t('Job title');
  },
  get photo() {
    return i18n.t('Photo');
  },
  get version() {
    return i18n.t('vCard version');
  },
};

/** The omitted or truncated parts of a row, a sentence each: `phones.1.number` is the second phone number. */
export function describeLeftOut(errors: ImportRow['errors']): string[] {
  return Object.entries(errors ?? {}).map(([path, message]) => {
    const [field = '', place] = path.split('.');
    const name = FIELDS[field] ?? path;
    const numbered = place !== undefined && /^\d+$/.test(place) ? `${name} ${Number(place) + 1}` : name;
    // In English the service's message is a predicate, and in other languages a whole sentence.
    return i18n.t('{field} {message}.', { field: numbered, message });
  });
}

/** The name of a row, or what else identifies its contact. */
export function nameRow({ contact, row }: ImportRow): string {
  const found = [contact?.name, contact?.phones[0]?.number, contact?.emails[0]?.address];
  return found.find((text) => text !== undefined && text !== '') ?? i18n.t('Row {row}', { row });
}

/** Whether a row changes anything, so that it can be selected. */
export const canChoose = ({ action }: ImportRow): boolean => action !== 'skip';

/**
 * The selected rows.
 * @returns undefined when all selectable rows are selected: then skipped rows are counted as well
 */
export function rowsToTake(rows: readonly ImportRow[], put_aside: ReadonlySet<number>): number[] | undefined {
  const chosen = rows.filter((one) => canChoose(one) && !put_aside.has(one.row));
  return chosen.length === rows.filter(canChoose).length ? undefined : chosen.map(({ row }) => row);
}

const SOURCES: Readonly<Record<ImportBatch['source'], string>> = { vcard: 'vCard', csv: 'CSV', json: 'JSON' };

/** The result of an import in one line. */
export function describeBatch({ source, created, updated, skipped }: ImportBatch): string {
  return i18n.t('{source}: {created} new, {updated} updated, {skipped} skipped', {
    source: SOURCES[source],
    created,
    updated,
    skipped,
  });
}

/** The result of undoing an import. */
export function describeRollback(left_count: number): string {
  if (left_count === 0) return i18n.t('Undone. Your contacts are as they were before it.');
  return i18n.t(
    '{count, plural, one {Undone. One contact stays as it is, because you changed or deleted what it left.} other {Undone. # contacts stay as they are, because you changed or deleted what it left.}}',
    { count: left_count },
  );
}
