import type { ImportPlan, ImportPortion, ImportSource } from '../../domain/contacts/contact-imports.ts';
import { countAddresses } from '../../domain/contacts/contact-drafts.ts';
import { contactColumns, requireContact, type ContactDraft, type ContactRow } from '../../domain/contacts/contacts.ts';
import { isRefused, join, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limit, pageOf, type Page } from '../../kernel/page.ts';
import { fail } from '../../kernel/errors.ts';
import { normaliseNumber } from '../../kernel/formats/phone.ts';
import type { Change } from '../../kernel/services.ts';
import { escapePattern } from '../../kernel/search/spelling.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** Says that an address book is full. @throws ApiError `limit_reached` always */
export function refuseMore(limit: number): never {
  fail('limit_reached', { message: `You can have up to ${limit} contacts.` });
}

/** Whether an account may stand behind what is written in a contact: whoever reads it finds out whether it does. */
const mayMatch = ({ phones, emails, tag_name }: ContactDraft): Sql => sql`(
  exists (
    select 1 from users
    where mobile_number = any(${phones.map(({ number }) => number)}::text[]) and mobile_verified and deleted_at is null)
  or exists (
    select 1 from users
    where email = any(${emails.map(({ address }) => address)}::text[]) and email_verified and deleted_at is null)
  or exists (select 1 from tags where name = ${tag_name} and deleted_at is null))`;

/**
 * Adds a contact and answers it. Additions to one book wait for each other, so that those at once are counted. It is read
 * again only where an account may stand behind it, since that is a large statement and most address books name few accounts;
 * one without addresses is nobody's, so that it travels with its event and the commit.
 * @param limit how many one address book holds
 * @throws ApiError `limit_reached` when it is full, perhaps at the end of the change alone
 */
export async function insertContact(
  change: Change,
  owner_id: string,
  draft: ContactDraft,
  limit: number,
): Promise<ContactRow> {
  const { db, now } = change;
  const row = { ...draft, id: change.id('con'), revision: 1, user: null, created_at: now, updated_at: now };
  const has_addresses = countAddresses(draft) > 0;
  const locked = lockBook(db, owner_id);
  const inserted = db
    .maybe<{ may_match: boolean }>(insertion(row, owner_id, limit, has_addresses ? mayMatch(draft) : undefined))
    .catch((error: unknown) => {
      if (isRefused(error, full_book)) refuseMore(limit);
      throw error;
    });
  const made = Promise.all([locked, inserted]);
  if (!has_addresses) {
    change.alongside(made);
    return row;
  }
  const [, answer] = await made;
  return answer?.may_match ? requireContact(db, row.id, owner_id) : row;
}

const full_book = 'the address book is full';

/** Writes a contact, or refuses with `full_book`. The caller holds the book. */
function insertion(
  { id, name, phones, emails, tag_name, im, note, favourite, details, created_at }: ContactRow & { created_at: Date },
  owner_id: string,
  limit: number,
  may_match: Sql | undefined,
): Sql {
  return sql`
    insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, details, created_at, updated_at)
    select ${id}, ${owner_id}, ${name}, ${JSON.stringify(phones)}::jsonb, ${JSON.stringify(emails)}::jsonb,
           ${tag_name}, ${JSON.stringify(im)}::jsonb, ${note}, ${favourite}::boolean, ${JSON.stringify(details)}::jsonb,
           ${created_at}::timestamptz, ${created_at}::timestamptz
    where case when (select count from contact_counts where owner_id = ${owner_id}) >= ${limit}::int
      then refuse(${full_book}) else true end
    ${may_match ? sql`returning ${may_match} as may_match` : sql``}`;
}

/** Writes what an edit has made of a contact. The caller holds its row. */
export async function updateContact(db: Queryable, id: string, draft: ContactDraft, now: Date): Promise<void> {
  const { name, tag_name, note, favourite } = draft;
  await db.run(sql`
    update contacts set name = ${name}, phones = ${JSON.stringify(draft.phones)}, emails = ${JSON.stringify(draft.emails)},
      tag_name = ${tag_name}, im = ${JSON.stringify(draft.im)}, note = ${note}, favourite = ${favourite},
      details = ${JSON.stringify(draft.details)}, revision = revision + 1, updated_at = ${now}
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
  // Who a contact is costs a look among the accounts: it is asked of those of the page, not of all that it passes over.
  return db.many<ContactRow>(sql`
    select ${contactColumns(owner_id)} from contacts c where c.id = any(array(select c.id from contacts c where ${which} ${page}))
    order by ${is_by_name ? sql`name_order(c.name), c.id` : sql`c.id desc`}`);
}

/** The end of a statement over contacts `c` in the order of their names. */
function pageByName(page: Page, owner_id: string): Sql {
  const after =
    page.before_id === undefined
      ? sql``
      : sql`and (name_order(c.name), c.id) > (
          select name_order(last.name), last.id from contacts last
          where last.id = ${page.before_id} and last.owner_id = ${owner_id})`;
  return sql`${after} order by name_order(c.name), c.id limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/** How many previews of one owner wait at once; an older one is as expired. */
const max_previews = default_limits.import_previews;

/** Keeps what was read of a file until its owner takes it. `rows` is JSON. */
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

/** Makes what is added to one owner's book wait for each other until the transaction ends. */
export async function lockBook(db: Queryable, owner_id: string): Promise<void> {
  await db.run(sql`select 1 from users where id = ${owner_id} for no key update`);
}

/** A preview of an owner's: where its contacts came from, and whether it can still be taken. */
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

/** Locks the contacts of a portion until the transaction ends; says whether all are as they were when they were read. */
export async function lockUnchanged(db: Queryable, portion: ImportPortion): Promise<boolean> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select 1 from contacts c join ${rowsOf(portion)} on r.id = c.id and r.revision = c.revision
      order by c.id for update of c) locked`);
  return count === portion.count;
}

/** Adds the contacts of a portion under new identifiers, in their order. */
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

/** Writes the contacts of a portion, and keeps what they were. The caller holds their rows. */
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

export type ImportRecord = {
  id: string;
  source: ImportSource;
  state: 'committed' | 'rolled_back';
  created: number;
  updated: number;
  skipped: number;
  left_count: number;
  created_at: Date;
  rolled_back_at: Date | null;
};

/** Notes an import. What it does to each contact is kept where that is written. */
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
      favourite = b.favourite, details = b.details, revision = b.revision, updated_at = b.updated_at
    from contact_import_changes i, jsonb_populate_record(null::contacts, i.before) b
    where i.import_id = ${import_id} and i.contact_id = any(${ids}::text[]) and c.id = i.contact_id`);
}
