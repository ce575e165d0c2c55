import { lockAccount } from '../../domain/accounts/accounts.ts';
import type { ImportPlan, ImportPortion, ImportSource } from '../../domain/contacts/contact-imports.ts';
import { contactColumns, type ContactDraft, type ContactRow } from '../../domain/contacts/contacts.ts';
import { join, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limit, pageOf, type Page } from '../../kernel/page.ts';
import { normaliseNumber } from '../../kernel/formats/phone.ts';
import type { Change } from '../../kernel/services.ts';
import { escapePattern } from '../../kernel/search/spelling.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import type { import_states } from './schemas.ts';

/** Writes an edited contact. The caller has locked its row. */
export async function updateContact(db: Queryable, id: string, draft: ContactDraft, now: Date): Promise<void> {
  const { name, tag_name, note, favourite } = draft;
  await db.run(sql`
    update contacts set name = ${name}, phones = ${JSON.stringify(draft.phones)}, emails = ${JSON.stringify(draft.emails)},
      tag_name = ${tag_name}, im = ${JSON.stringify(draft.im)}, note = ${note}, favourite = ${favourite},
      details = ${JSON.stringify(draft.details)}, revision = revision + 1, updated_at = ${now}
    where id = ${id}`);
}

/** Whether a search text can only be a part of a phone number. */
export function looksLikeNumber(typed: string): boolean {
  return /^[\d\s+()./-]+$/.test(typed) && /\d/.test(typed);
}

/** A typed number as found in E.164: the whole number if it is valid, else its digits without the trunk prefix. */
const digitsOf = (typed: string, region: string | undefined): string =>
  normaliseNumber(typed, region) ?? typed.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');

/**
 * An owner's contacts, or those that match a search text. A search reads at most one address book, by the index of its
 * owner.
 */
export async function selectContacts(
  db: Queryable,
  owner_id: string,
  query: Page & { q?: string; favourite?: boolean; sort?: 'newest' | 'name' },
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
        select a.contact_id from contact_addresses a where a.owner_id = ${owner_id} and a.place > 0 and a.address like ${holds(address)})))`);
  }
  const which = join(conditions, ' and ');
  const is_by_name = query.sort === 'name';
  const page = is_by_name ? pageByName(query, owner_id) : pageOf(query, 'c.id');
  if (!query.offset)
    return db.many<ContactRow>(sql`select ${contactColumns(owner_id)} from contacts c where ${which} ${page}`);
  // Matching accounts is expensive: it is done only for the contacts of the page.
  return db.many<ContactRow>(sql`
    select ${contactColumns(owner_id)} from contacts c where c.id = any(array(select c.id from contacts c where ${which} ${page}))
    order by ${is_by_name ? sql`name_order(c.name), c.id` : sql`c.id desc`}`);
}

/** The end of a statement over contacts `c` in alphabetical order. */
function pageByName(page: Page, owner_id: string): Sql {
  const after =
    page.before_id === undefined
      ? sql``
      : sql`and (name_order(c.name), c.id) > (
          select name_order(last.name), last.id from contacts last
          where last.id = ${page.before_id} and last.owner_id = ${owner_id})`;
  return sql`${after} order by name_order(c.name), c.id limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/** The maximum of open previews of one owner; older ones count as expired. */
const max_previews = default_limits.import_previews;

/** Stores the parsed rows of a file until the import is committed. `rows` is JSON. */
export async function insertPreview(
  { db, now }: Pick<Change, 'db' | 'now'>,
  preview: { id: string; source: string; rows: string; expires_at: Date },
  owner_id: string,
): Promise<void> {
  await db.run(sql`
    insert into contact_import_previews (id, owner_id, source, rows, created_at, expires_at)
    values (${preview.id}, ${owner_id}, ${preview.source}, ${preview.rows}::jsonb, ${now}, ${preview.expires_at})`);
  await db.run(sql`
    update contact_import_previews set rows = '[]', expires_at = ${now}
    where owner_id = ${owner_id} and used_at is null and expires_at > ${now} and id not in (
      select id from contact_import_previews where owner_id = ${owner_id} order by id desc limit ${max_previews}::int)`);
}

/** Locks an owner's book until the end of the transaction, so that imports and their rollbacks are serialised. */
export async function lockBook(db: Queryable, owner_id: string): Promise<void> {
  await lockAccount(db, owner_id);
}

/** An owner's preview: its source, and whether it can still be committed. */
export async function selectPreview(
  db: Queryable,
  id: string,
  owner_id: string,
  now: Date,
): Promise<{ source: ImportSource; is_open: boolean } | undefined> {
  return db.maybe(sql`
    select source, used_at is null and expires_at > ${now} as is_open
    from contact_import_previews where id = ${id} and owner_id = ${owner_id}`);
}

/** The rows of a preview, as JSON. */
export async function selectPreviewRows(db: Queryable, id: string): Promise<string> {
  const { rows } = await db.one<{ rows: string }>(
    sql`select rows::text as rows from contact_import_previews where id = ${id}`,
  );
  return rows;
}

/** The columns of a portion's contacts, which are JSON. */
const rowsOf = ({ contacts }: ImportPortion): Sql => sql`
  jsonb_to_recordset(${contacts}::jsonb)
    as r (id text, revision int, name text, phones jsonb, emails jsonb, tag_name text, im jsonb, note text, favourite boolean,
      details jsonb)`;

/**
 * Locks the contacts of a portion until the end of the transaction.
 * @returns whether all are unchanged since they were read
 */
export async function lockUnchanged(db: Queryable, portion: ImportPortion): Promise<boolean> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select 1 from contacts c join ${rowsOf(portion)} on r.id = c.id and r.revision = c.revision
      order by c.id for update of c) locked`);
  return count === portion.count;
}

/** Inserts the contacts of a portion with new identifiers, in order. */
export async function insertContacts(
  { db, now, id }: Pick<Change, 'db' | 'now' | 'id'>,
  batch: ImportRecord,
  owner_id: string,
  portion: ImportPortion,
): Promise<void> {
  const ids = Array.from({ length: portion.count }, () => id('con'));
  await db.run(sql`
    with made as (
      insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, details, created_at, updated_at)
      select r.new_id, ${owner_id}, r.name, r.phones, r.emails, r.tag_name, r.im, r.note, r.favourite, r.details,
             ${now}::timestamptz, ${now}::timestamptz
      from rows from (
        jsonb_to_recordset(${portion.contacts}::jsonb)
          as (name text, phones jsonb, emails jsonb, tag_name text, im jsonb, note text, favourite boolean, details jsonb),
        unnest(${ids}::text[])) as r (name, phones, emails, tag_name, im, note, favourite, details, new_id)
      returning id, revision)
    insert into contact_import_changes (import_id, contact_id, revision) select ${batch.id}, id, revision from made`);
}

/** Updates the contacts of a portion, and stores their previous versions. The caller has locked their rows. */
export async function updateContacts(
  { db, now }: Pick<Change, 'db' | 'now'>,
  batch: ImportRecord,
  portion: ImportPortion,
): Promise<void> {
  await db.run(sql`
    insert into contact_import_changes (import_id, contact_id, before, revision)
    select ${batch.id}, c.id, to_jsonb(c), c.revision + 1 from contacts c join ${rowsOf(portion)} on r.id = c.id`);
  await db.run(sql`
    update contacts c set name = r.name, phones = r.phones, emails = r.emails, tag_name = r.tag_name, im = r.im,
      note = r.note, favourite = r.favourite, details = r.details, revision = c.revision + 1, updated_at = ${now}
    from ${rowsOf(portion)} where c.id = r.id`);
}

/** An import as its owner sees it. */
export type ImportRecord = {
  id: string;
  source: ImportSource;
  state: (typeof import_states)[number];
  created: number;
  updated: number;
  skipped: number;
  left_count: number;
  created_at: Date;
  rolled_back_at: Date | null;
};

/** Inserts an import. Its effect on each contact is stored with that contact's change. */
export async function insertImport(
  { db, now, id }: Pick<Change, 'db' | 'now' | 'id'>,
  source: ImportSource,
  { created, updated, skipped }: ImportPlan['counts'],
  owner_id: string,
): Promise<ImportRecord> {
  return db.one<ImportRecord>(sql`
    insert into contact_imports (id, owner_id, source, state, created, updated, skipped, created_at)
    values (${id('imp')}, ${owner_id}, ${source}, 'committed', ${created}, ${updated}, ${skipped}, ${now})
    returning *`);
}

/** Deletes the oldest imports of an owner, except the newest one, above a number of contacts that they changed together. */
export async function deleteOldestImports(db: Queryable, owner_id: string, max_contacts: number): Promise<void> {
  await db.run(sql`
    delete from contact_imports where id = any(array(
      select id from (
        select id, row_number() over newest_first as place, sum(created + updated) over newest_first as contacts
        from contact_imports where owner_id = ${owner_id} window newest_first as (order by id desc)) listed
      where place > 1 and contacts > ${max_contacts}::int))`);
}

/** What a rollback does to a contact: one that was edited or deleted since stays as it is. */
export type Undo = { contact_id: string; act: 'remove' | 'restore' | 'edited' | 'deleted' | 'none' };

/** What a rollback of an import does to each contact; locks them until the end of the transaction. */
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
 * Restores contacts to their versions before an import, revision included, so that the previous import can then be
 * rolled back as well.
 */
export async function restoreContacts(db: Queryable, import_id: string, ids: string[]): Promise<void> {
  await db.run(sql`
    update contacts c set name = b.name, phones = b.phones, emails = b.emails, tag_name = b.tag_name, im = b.im, note = b.note,
      favourite = b.favourite, details = b.details, revision = b.revision, updated_at = b.updated_at
    from contact_import_changes i, jsonb_populate_record(null::contacts, i.before) b
    where i.import_id = ${import_id} and i.contact_id = any(${ids}::text[]) and c.id = i.contact_id`);
}

/**
 * Locks a contact for a change until the end of the transaction. A separate statement, so that the next one sees what was committed
 * while this one waited for the lock.
 * @returns whether it is one of the owner's
 */
export async function lockContactForChange(db: Queryable, id: string, owner_id: string): Promise<boolean> {
  return (await db.run(sql`select 1 from contacts where id = ${id} and owner_id = ${owner_id} for update`)) > 0;
}
