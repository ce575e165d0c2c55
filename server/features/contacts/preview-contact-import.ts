import { contactFields, ContactName, nothingFound, selectRegion } from '../../domain/contact-drafts.ts';
import {
  acceptRow,
  most_rows,
  readContactFile,
  type AcceptedRow,
  type FileRow,
  type ImportSource,
} from '../../domain/contact-files.ts';
import { planImport } from '../../domain/contact-merging.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, optional, Type, type Static } from '../../kernel/schema.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { insertPreview, keepable, selectBook } from './queries.ts';
import { ImportPreview, type ImportRow } from './schemas.ts';

/** How long a preview may be taken, in seconds. */
const preview_term_s = 60 * 60;

const Typed = object({ name: optional(ContactName), ...contactFields });

export const previewContactImport = endpoint({
  id: 'previewContactImport',
  route: 'POST /contacts/import/preview',
  summary: 'Import preview: vCard 3 or 4, CSV with the headings of Google or Outlook, or JSON',
  kind: 'either',
  throttle: 'import',
  body: object({ contacts: optional(Type.Array(Typed, { minItems: 1, maxItems: most_rows })) }),
  reply: ImportPreview,
  async prepare({ body, file, caller, services }): Promise<{ source: ImportSource; rows: AcceptedRow[] }> {
    if (file ? body.contacts : !body.contacts) invalid({ contacts: 'is required, or a file, and not both' });
    const region = await selectRegion(services.db, caller.user_id);
    if (!file) return { source: 'json', rows: await accept((body.contacts ?? []).map(foundIn), region) };
    return services.decoding(() => readContactFile(file.bytes, region, services.limits));
  },
  async run({ caller, prepared: { source, rows }, ...change }) {
    const decisions = await planImport(await selectBook(change.db, caller.user_id), keepable(rows));
    const decided = new Map(decisions.map((decision) => [decision.row, decision]));
    const shown = rows.map(({ row, errors }): Static<typeof ImportRow> => {
      const wrong = Object.keys(errors).length > 0 ? { errors } : {};
      const decision = decided.get(row);
      if (!decision) return { row, action: 'skip', reason: 'invalid', contact: null, ...wrong };
      const { action, reason, entry } = decision;
      return {
        row,
        action,
        contact: entry.draft,
        ...(reason ? { reason } : {}),
        ...(entry.id ? { contact_id: entry.id } : {}),
        ...wrong,
      };
    });
    const kept = rows.map(({ row, draft }) => ({ row, draft }));
    const preview = { id: change.id('imp'), source, rows: kept, expires_at: after(change.now, preview_term_s) };
    await insertPreview(change, preview, caller.user_id);
    const count = (action: string) => shown.filter((one) => one.action === action).length;
    return {
      preview_id: preview.id,
      expires_at: wireTime(preview.expires_at),
      source,
      rows: shown,
      counts: { create: count('create'), update: count('update'), skip: count('skip') },
    };
  },
});

/** What was sent as JSON, as a file would say it. */
function foundIn(typed: Static<typeof Typed>): FileRow {
  const found = {
    ...nothingFound(),
    name: typed.name ?? '',
    phones: (typed.phones ?? []).map(({ label = '', number }) => ({ label, number })),
    emails: (typed.emails ?? []).map(({ label = '', address }) => ({ label, address })),
    im: typed.im ?? [],
    tag_name: typed.tag_name ?? '',
    note: typed.note ?? '',
    favourite: typed.favourite ?? false,
  };
  return { found, errors: {} };
}

/** What of each can be kept; a few at a time, so that others have their turn in between. */
async function accept(rows: FileRow[], region: string | undefined): Promise<AcceptedRow[]> {
  const accepted: AcceptedRow[] = [];
  for (const [at, row] of rows.entries()) {
    accepted.push(acceptRow(row, at, region));
    if (at % 200 === 199) await new Promise(setImmediate);
  }
  return accepted;
}
