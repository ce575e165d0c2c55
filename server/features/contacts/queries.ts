import { contactColumns, type ContactDraft, type ContactRow } from '../../domain/contacts.ts';
import { join, sql, type Queryable, type Sql } from '../../kernel/database.ts';
import { pageOf, type Page } from '../../kernel/page.ts';
import { fail } from '../../kernel/errors.ts';
import { normaliseNumber } from '../../kernel/phone.ts';
import type { Change } from '../../kernel/services.ts';
import { escapePattern } from '../../kernel/spelling.ts';

/** Says that an address book is full. @throws ApiError `conflict` always */
export function refuseMore(limit: number): never {
  fail('conflict', { message: `An address book holds ${limit} contacts at the most.` });
}

/**
 * Adds a contact; answers its identifier. Additions to one book wait for each other, so that those at once are counted.
 * @param limit how many one address book holds
 * @throws ApiError `conflict` when it is full
 */
export async function insertContact(
  { db, id, now }: Change,
  owner_id: string,
  draft: ContactDraft,
  limit: number,
): Promise<string> {
  const { name, tag_name, note, favourite } = draft;
  const contact_id = id('con');
  await lockBook(db, owner_id);
  const made = await db.run(sql`
    insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, created_at, updated_at)
    select ${contact_id}, ${owner_id}, ${name}, ${JSON.stringify(draft.phones)}::jsonb, ${JSON.stringify(draft.emails)}::jsonb,
           ${tag_name}, ${JSON.stringify(draft.im)}::jsonb, ${note}, ${favourite}::boolean, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from contacts where owner_id = ${owner_id}) < ${limit}::int`);
  return made > 0 ? contact_id : refuseMore(limit);
}

/** Writes what an edit has made of a contact. The caller holds its row. */
export async function updateContact(db: Queryable, id: string, draft: ContactDraft, now: Date): Promise<void> {
  const { name, tag_name, note, favourite } = draft;
  await db.run(sql`
    update contacts set name = ${name}, phones = ${JSON.stringify(draft.phones)}, emails = ${JSON.stringify(draft.emails)},
      tag_name = ${tag_name}, im = ${JSON.stringify(draft.im)}, note = ${note}, favourite = ${favourite},
      revision = revision + 1, updated_at = ${now}
    where id = ${id}`);
}

/** Whether what was typed can be nothing but a part of a phone number. */
export function looksLikeNumber(typed: string): boolean {
  return /^[\d\s+()./-]+$/.test(typed) && /\d/.test(typed);
}

/** How a number that was typed stands in E.164: whole if it is one, else its digits without those that are only dialled. */
const digitsOf = (typed: string, region: string | undefined): string =>
  normaliseNumber(typed, region) ?? typed.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');

/**
 * An owner's contacts, or those that hold what was typed. An address book is the most that a search reads, by the index
 * of its owner.
 */
export async function selectContacts(
  db: Queryable,
  owner_id: string,
  query: Page & { q?: string; favourite?: boolean },
  region: string | undefined,
): Promise<ContactRow[]> {
  const conditions: Sql[] = [sql`c.owner_id = ${owner_id}`];
  if (query.favourite !== undefined) conditions.push(query.favourite ? sql`c.favourite` : sql`not c.favourite`);
  const typed = query.q?.trim().toLowerCase();
  if (typed) {
    const address = looksLikeNumber(typed) ? digitsOf(typed, region) : typed;
    const holds = (text: string) => `%${escapePattern(text)}%`;
    conditions.push(sql`(
      search_text(c.name, '', '') like ${holds(typed)}
      or c.id = any(array(
        select a.contact_id from contact_addresses a where a.owner_id = ${owner_id} and a.address like ${holds(address)})))`);
  }
  return db.many<ContactRow>(sql`
    select ${contactColumns(owner_id)} from contacts c where ${join(conditions, ' and ')} ${pageOf(query, 'c.id')}`);
}

/** A contact of the book as the import sees it, and as it was before. */
export type Kept = { id: string; draft: ContactDraft; before: ContactDraft; revision: number };

/** An owner's whole book, the oldest first. */
export async function selectBook(db: Queryable, owner_id: string): Promise<Kept[]> {
  const rows = await db.many<ContactDraft & { id: string; revision: number }>(sql`
    select id, revision, name, phones, emails, tag_name, im, note, favourite from contacts
    where owner_id = ${owner_id} order by id`);
  return rows.map(({ id, revision, ...draft }) => ({ id, revision, draft, before: draft }));
}

/** How many previews of one owner wait at once; an older one is as expired. */
const most_previews = 3;

/** One row of a preview; without a draft when nothing of it can be kept. */
export type PreviewRow = { row: number; draft: ContactDraft | null };

/** Those of which something can be kept. */
export const keepable = (rows: PreviewRow[]): { row: number; draft: ContactDraft }[] =>
  rows.flatMap(({ row, draft }) => (draft ? [{ row, draft }] : []));

/** Keeps what was read of a file until its owner takes it. */
export async function insertPreview(
  { db, now }: Pick<Change, 'db' | 'now'>,
  preview: { id: string; source: string; rows: PreviewRow[]; expires_at: Date },
  owner_id: string,
): Promise<void> {
  await db.run(sql`
    insert into contact_import_previews (id, owner_id, source, rows, created_at, expires_at)
    values (${preview.id}, ${owner_id}, ${preview.source}, ${JSON.stringify(preview.rows)}, ${now}, ${preview.expires_at})`);
  await db.run(sql`
    update contact_import_previews set rows = '[]', expires_at = ${now}
    where owner_id = ${owner_id} and used_at is null and expires_at > ${now} and id not in (
      select id from contact_import_previews where owner_id = ${owner_id} order by id desc limit ${most_previews}::int)`);
}

/** Makes what is added to one owner's book wait for each other until the transaction ends. */
export async function lockBook(db: Queryable, owner_id: string): Promise<void> {
  await db.run(sql`select 1 from users where id = ${owner_id} for no key update`);
}

export type PreviewState = { source: string; rows: PreviewRow[]; is_open: boolean };

/** A preview of an owner's. */
export async function selectPreview(
  db: Queryable,
  id: string,
  owner_id: string,
  now: Date,
): Promise<PreviewState | undefined> {
  return db.maybe<PreviewState>(sql`
    select source, rows, used_at is null and expires_at > ${now} as is_open
    from contact_import_previews where id = ${id} and owner_id = ${owner_id}`);
}

/** Locks contacts until the transaction ends; says whether all are as they were when they were read. */
export async function lockUnchanged(db: Queryable, kept: Kept[]): Promise<boolean> {
  const ids = kept.map(({ id }) => id);
  const rows = await db.many<{ id: string; revision: number }>(
    sql`select id, revision from contacts where id = any(${ids}::text[]) order by id for update`,
  );
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
  return kept.every(({ id, revision }) => revisions.get(id) === revision);
}

/** Adds many contacts in one statement. */
export async function insertContacts(
  db: Queryable,
  owner_id: string,
  contacts: (ContactDraft & { id: string })[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, created_at, updated_at)
    select id, ${owner_id}, name, phones, emails, tag_name, im, note, favourite, ${now}::timestamptz, ${now}::timestamptz
    from ${asRows(contacts)}`);
}

/** Writes many contacts in one statement. The caller holds their rows. */
export async function updateContacts(
  db: Queryable,
  contacts: (ContactDraft & { id: string })[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    update contacts c set name = r.name, phones = r.phones, emails = r.emails, tag_name = r.tag_name, im = r.im,
      note = r.note, favourite = r.favourite, revision = c.revision + 1, updated_at = ${now}
    from ${asRows(contacts)} where c.id = r.id`);
}

const asRows = (contacts: unknown[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb)
    as r (id text, name text, phones jsonb, emails jsonb, tag_name text, im jsonb, note text, favourite boolean)`;

export type ImportRecord = {
  id: string;
  source: 'vcard' | 'csv' | 'json';
  state: 'committed' | 'rolled_back';
  created: number;
  updated: number;
  skipped: number;
  left_count: number;
  created_at: Date;
  rolled_back_at: Date | null;
};

/**
 * Notes an import that has been written, and keeps what it did to each contact. `before` is the whole row of each that it
 * is about to change, and is therefore read first.
 */
export async function insertImport(
  { db, now }: Pick<Change, 'db' | 'now'>,
  batch: Pick<ImportRecord, 'id' | 'source' | 'created' | 'updated' | 'skipped'>,
  owner_id: string,
): Promise<ImportRecord> {
  return db.one<ImportRecord>(sql`
    insert into contact_imports (id, owner_id, source, state, created, updated, skipped, created_at)
    values (${batch.id}, ${owner_id}, ${batch.source}, 'committed', ${batch.created}, ${batch.updated}, ${batch.skipped}, ${now})
    returning *`);
}

/** Keeps contacts as they are before an import changes them. */
export async function keepBefore(db: Queryable, import_id: string, ids: string[]): Promise<void> {
  await db.run(sql`
    insert into contact_import_changes (import_id, contact_id, before, revision)
    select ${import_id}, c.id, to_jsonb(c), c.revision + 1 from contacts c where c.id = any(${ids}::text[])`);
}

/** Keeps which contacts an import has made. */
export async function keepMade(db: Queryable, import_id: string, ids: string[]): Promise<void> {
  await db.run(sql`
    insert into contact_import_changes (import_id, contact_id, revision)
    select ${import_id}, c.id, c.revision from contacts c where c.id = any(${ids}::text[])`);
}

export type Undo = { contact_id: string; act: 'remove' | 'restore' | 'edited' | 'deleted' | 'none' };

/** What undoing an import means for each of its contacts, which are locked until the transaction ends. */
export async function selectUndo(db: Queryable, import_id: string): Promise<Undo[]> {
  await db.run(sql`
    select 1 from contacts where id in (select contact_id from contact_import_changes where import_id = ${import_id})
    order by id for update`);
  return db.many<Undo>(sql`
    select i.contact_id, case
        when c.id is null then case when i.before is null then 'none' else 'deleted' end
        when c.revision <> i.revision then 'edited'
        when i.before is null then 'remove'
        else 'restore'
      end as act
    from contact_import_changes i left join contacts c on c.id = i.contact_id
    where i.import_id = ${import_id} order by i.contact_id`);
}

/**
 * Puts contacts back to what they were before an import, their revision too: so the import before that one can be undone
 * after it.
 */
export async function restoreContacts(db: Queryable, import_id: string, ids: string[]): Promise<void> {
  await db.run(sql`
    update contacts c set name = b.name, phones = b.phones, emails = b.emails, tag_name = b.tag_name, im = b.im, note = b.note,
      favourite = b.favourite, revision = b.revision, updated_at = b.updated_at
    from contact_import_changes i, jsonb_populate_record(null::contacts, i.before) b
    where i.import_id = ${import_id} and i.contact_id = any(${ids}::text[]) and c.id = i.contact_id`);
}
