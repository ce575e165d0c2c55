/**
 * Contact imports in a decoder process: reads files, and plans the changes to an address book. Data that only passes
 * through the service on its way to the database or the client is JSON text, which the service need not parse.
 */
import { default_limits } from '../../kernel/load/limits.ts';
import type { Fields } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language/i18n.ts';
import { translateRefusal } from '../../kernel/language/refusals.ts';
import { encodeAvatar } from '../../kernel/media/picture.ts';
import type { Static } from '../../kernel/schema.ts';
import { no_details } from './contact-details.ts';
import { countAddresses } from './contact-drafts.ts';
import { acceptRow, parseContactFile, type AcceptedRow, type FileRow } from './contact-files.ts';
import type { ImportPlan, ImportPreviewPlan, ImportReading, ImportRow, ImportTask } from './contact-imports.ts';
import { photoKey, type EncodedPhoto } from './contact-photos.ts';
import { planImport, type BookEntry, type Decision } from './contact-merging.ts';
import type { ContactDraft } from './contacts.ts';

const { import_portion } = default_limits;

type BookContact = ContactDraft & { id: string; revision: number };
type Entry = BookEntry & { id: string; revision: number };

/** Runs an import task. @throws ApiError `validation_failed` with `file` for an unreadable file */
export async function run(task: ImportTask): Promise<ImportReading | ImportPreviewPlan | ImportPlan> {
  if (task.act === 'read') {
    const { source, rows } = await parseContactFile(task.bytes);
    return acceptWithPhotos(source, rows, task);
  }
  if (task.act === 'accept')
    return accept(
      'json',
      task.found.map((found) => ({ found, errors: {} })),
      task.region,
    );
  return task.act === 'preview' ? planPreview(task) : planCommit(task);
}

function accept(source: ImportReading['source'], rows: FileRow[], region: string | undefined): ImportReading {
  return { source, rows: JSON.stringify(rows.map((row, at) => acceptRow(row, at, region))), photos: [] };
}

/** The maximum of photos in one import: each is decoded and re-encoded. */
const max_photos = 200;

/** The rows of a file, with embedded photos as they will be stored. An invalid picture is reported in its row. */
async function acceptWithPhotos(
  source: ImportReading['source'],
  rows: FileRow[],
  { region, owner }: ImportTask & { act: 'read' },
): Promise<ImportReading> {
  const photos = new Map<string, EncodedPhoto>();
  const accepted: AcceptedRow[] = [];
  let count = 0;
  for (const [at, row] of rows.entries()) {
    const kept = acceptRow(row, at, region);
    accepted.push(kept);
    if (row.found.photo === '' || kept.draft === null) continue;
    count += 1;
    if (count > max_photos) {
      kept.errors['photo'] = `is left out: an import takes up to ${max_photos} photos`;
      continue;
    }
    const encoded = await encodeAvatar(Buffer.from(row.found.photo, 'base64')).catch(() => undefined);
    if (encoded === undefined) {
      kept.errors['photo'] = 'is not a readable image';
      continue;
    }
    const key = photoKey(owner, encoded.hash);
    photos.set(key, { key, bytes: encoded.bytes });
    kept.draft.details.photo = key;
  }
  return { source, rows: JSON.stringify(accepted), photos: [...photos.values()] };
}

const readBook = (portions: string[]): Entry[] =>
  portions.flatMap((text) => {
    const contacts = JSON.parse(text) as BookContact[];
    return contacts.map(({ id, revision, details, ...draft }) => ({
      id,
      revision,
      draft: { ...draft, details: { ...no_details, ...details } },
    }));
  });

const keepable = (rows: { row: number; draft: ContactDraft | null }[]): { row: number; draft: ContactDraft }[] =>
  rows.flatMap(({ row, draft }) =>
    draft ? [{ row, draft: { ...draft, details: { ...no_details, ...draft.details } } }] : [],
  );

function planPreview({
  rows: rows_text,
  book: portions,
  language,
}: ImportTask & { act: 'preview' }): ImportPreviewPlan {
  const book = readBook(portions);
  const rows = JSON.parse(rows_text) as AcceptedRow[];
  // The decisions modify the entries of the book, so that the rows are serialised first, as they were read.
  const kept = JSON.stringify(rows.map(({ row, draft }) => ({ row, draft })));
  const decided = new Map(planImport(book, keepable(rows)).map((decision) => [decision.row, decision]));
  const translate = rememberTranslations(language);
  const shown = rows.map(({ row, errors }) => showRow(row, translate(errors), decided.get(row)));
  const counts = { create: 0, update: 0, skip: 0 };
  for (const { action } of shown) counts[action] += 1;
  return { kept, shown: JSON.stringify(shown), counts };
}

/** Translates the errors of rows, cached: thousands of rows share the same few errors. */
function rememberTranslations(language: Language): (errors: Fields) => Fields {
  const known = new Map<string, string>();
  const translate = (text: string): string => {
    const said = known.get(text) ?? translateRefusal(text, language);
    known.set(text, said);
    return said;
  };
  return (errors) => Object.fromEntries(Object.entries(errors).map(([path, text]) => [path, translate(text)]));
}

function showRow(row: number, errors: Fields, decision: Decision | undefined): Static<typeof ImportRow> {
  const wrong = Object.keys(errors).length > 0 ? { errors } : {};
  if (!decision) return { row, action: 'skip', reason: 'invalid', contact: null, ...wrong };
  const { action, reason, entry } = decision;
  const { details, ...plain } = entry.draft;
  const { photo: _photo, ...shown } = details;
  return {
    row,
    action,
    contact: { ...plain, ...shown },
    ...(reason ? { reason } : {}),
    ...(entry.id ? { contact_id: entry.id } : {}),
    ...wrong,
  };
}

function planCommit({ rows: rows_text, wanted, book: portions }: ImportTask & { act: 'commit' }): ImportPlan {
  const all = JSON.parse(rows_text) as { row: number; draft: ContactDraft | null }[];
  const chosen = wanted && new Set(wanted);
  const names_unknown = chosen ? !chosen.isSubsetOf(new Set(all.map(({ row }) => row))) : false;
  const rows = all.filter(({ row }) => !chosen || chosen.has(row));
  const book = readBook(portions);
  const decisions = planImport(book, keepable(rows));
  const entriesOf = (action: string) => decisions.filter((one) => one.action === action).map(({ entry }) => entry);
  const touched = new Set(entriesOf('update'));
  const made = entriesOf('create').map(({ draft }) => draft);
  // In the order of the book, so that concurrent imports lock contacts in the same order.
  const changed = book
    .filter((entry) => touched.has(entry))
    .map(({ id, revision, draft }) => ({ id, revision, ...draft }));
  return {
    names_unknown,
    made: toPortions(made),
    changed: toPortions(changed),
    counts: { created: made.length, updated: changed.length, skipped: rows.length - made.length - changed.length },
    addresses: [...made, ...changed].reduce((sum, draft) => sum + countAddresses(draft), 0),
  };
}

function toPortions(items: unknown[]): ImportPlan['made'] {
  const portions: ImportPlan['made'] = [];
  for (let at = 0; at < items.length; at += import_portion) {
    const part = items.slice(at, at + import_portion);
    portions.push({ count: part.length, contacts: JSON.stringify(part) });
  }
  return portions;
}
