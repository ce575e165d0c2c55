import { contactColumns, type ContactDraft, type ContactRow } from '../../domain/contacts.ts';
import { join, sql, type Queryable, type Sql } from '../../kernel/database.ts';
import { pageOf, type Page } from '../../kernel/page.ts';
import { normaliseNumber } from '../../kernel/phone.ts';
import type { Change } from '../../kernel/services.ts';
import { escapePattern } from '../../kernel/spelling.ts';

/** Adds a contact; answers its identifier. */
export async function insertContact({ db, id, now }: Change, owner_id: string, draft: ContactDraft): Promise<string> {
  const { name, tag_name, note, favourite } = draft;
  const contact_id = id('con');
  await db.run(sql`
    insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, created_at, updated_at)
    values (${contact_id}, ${owner_id}, ${name}, ${JSON.stringify(draft.phones)}, ${JSON.stringify(draft.emails)}, ${tag_name},
            ${JSON.stringify(draft.im)}, ${note}, ${favourite}, ${now}, ${now})`);
  return contact_id;
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
