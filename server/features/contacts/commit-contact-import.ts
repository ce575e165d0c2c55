import {
  planCommit,
  selectBook,
  selectBookState,
  type ImportPlan,
  type ImportPortion,
} from '../../domain/contacts/contact-imports.ts';
import { consumeLookupBudget } from '../../domain/contacts/contact-drafts.ts';
import type { Queryable } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid, StalePreparationError } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { timeOfId } from '../../kernel/id.ts';
import type { Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { contactsImported, presentImport } from './events.ts';
import {
  deleteOldestImports,
  insertContacts,
  insertImport,
  lockBook,
  lockUnchanged,
  selectPreview,
  selectPreviewRows,
  updateContacts,
} from './queries.ts';
import { refuseFullBook, requireWithinCapacity } from './rules/insert-contact.ts';
import { ImportBatch, preview_term_s } from './schemas.ts';
import { closePreview } from './rules/import-queries.ts';

export const commitContactImport = endpoint({
  id: 'commitContactImport',
  route: 'POST /contacts/import',
  summary: 'Import contacts',
  description: 'All rows of a preview, or some of them, in one step.',
  body: object({
    preview_id: idOf('imp'),
    rows: optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        minItems: 1,
        maxItems: default_limits.import_rows,
        description: 'Which rows; all by default.',
      }),
    ),
  }),
  reply: ImportBatch,
  status: [201],
  errors: ['gone', 'limit_reached', 'conflict'],
  async prepare({ body, caller, services, now }) {
    const preview = await selectPreview(services.db, body.preview_id, caller.user_id, now);
    return preview?.is_open ? planOver(services, body, caller.user_id) : undefined;
  },
  async run({ body, caller, prepared, consume, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await change.deferEvents();
    await lockBook(db, me);
    const preview = await selectPreview(db, body.preview_id, me, now);
    if (!preview) refuseAbsent(body.preview_id, now);
    if (!preview.is_open) fail('gone');
    const { plan, count } = await lockPlanned(prepared, db, me);
    if (plan.names_unknown) invalid({ rows: 'is not a row of the preview' });
    const limit = change.services.limits.contacts;
    if (count + plan.counts.created > limit) refuseFullBook(limit);
    await consumeLookupBudget(consume, me, plan.addresses);
    const record = await insertImport(change, preview.source, plan.counts, me);
    for (const portion of plan.made) await insertContacts(change, record, me, portion);
    for (const portion of plan.changed) await updateContacts(change, record, portion);
    await requireWithinCapacity(db, me, limit);
    await deleteOldestImports(db, me, change.services.limits.import_undo);
    await closePreview(db, body.preview_id, now);
    const batch = presentImport(record);
    change.emit(contactsImported, [`user:${me}`], { batch });
    return batch;
  },
});

/**
 * Refuses a missing preview. Expired ones are deleted after some time; the identifier alone shows whether it was too
 * old, and reveals nothing about its owner.
 * @throws ApiError always
 */
function refuseAbsent(preview_id: string, now: Date): never {
  if (after(timeOfId(preview_id), preview_term_s) <= now) fail('gone');
  invalid({ preview_id: 'is not one of your previews' });
}

type Wanted = { preview_id: string; rows?: number[] };
/** The changes of an import, and the state of the book for which they were planned. */
type Planned = { plan: ImportPlan; count: number; sum: string };

/** Plans against the current state of the book. */
async function planOver({ decoder, db }: Services, { preview_id, rows }: Wanted, owner_id: string): Promise<Planned> {
  return decoder.use(owner_id, async (decode) => {
    const state = await selectBookState(db, owner_id);
    const [kept, book] = [await selectPreviewRows(db, preview_id), await selectBook(db, owner_id)];
    return { ...state, plan: await planCommit(decode, kept, rows, book) };
  });
}

/**
 * Locks the contacts that a plan changes. The caller has locked the book, so that nothing is added meanwhile.
 * @throws StalePreparationError when the book has changed since the plan was created, or a contact was edited before it
 *   could be locked
 */
async function lockPlanned(prepared: Planned | undefined, db: Queryable, owner_id: string): Promise<Planned> {
  const { count, sum } = await selectBookState(db, owner_id);
  const is_current = prepared?.count === count && prepared.sum === sum && (await lockAll(db, prepared.plan.changed));
  return is_current ? prepared : staleBook();
}

function staleBook(): never {
  throw new StalePreparationError('the address book has changed');
}

async function lockAll(db: Queryable, portions: ImportPortion[]): Promise<boolean> {
  for (const portion of portions) if (!(await lockUnchanged(db, portion))) return false;
  return true;
}
