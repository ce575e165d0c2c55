/** Inserts contacts one at a time, within the capacity of their book. */
import { countAddresses } from '../../../domain/contacts/contact-drafts.ts';
import { bookStep, requireContact, type ContactDraft, type ContactRow } from '../../../domain/contacts/contacts.ts';
import { isRefused, sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Change } from '../../../kernel/services.ts';

/** Refuses because the address book is full. @throws ApiError `limit_reached` always */
export function refuseFullBook(limit: number): never {
  fail('limit_reached', { message: `You can have up to ${limit} contacts.` });
}

/** Whether an account may match the written fields: the match itself is determined when the contact is read. */
const mayMatch = ({ phones, emails, tag_name }: ContactDraft): Sql => sql`(
  exists (
    select 1 from users
    where mobile_number = any(${phones.map(({ number }) => number)}::text[]) and mobile_verified and deleted_at is null)
  or exists (
    select 1 from users
    where email = any(${emails.map(({ address }) => address)}::text[]) and email_verified and deleted_at is null)
  or exists (select 1 from tags where name = ${tag_name} and deleted_at is null))`;

/**
 * Inserts a contact and returns it. Insertions into one book are serialised by its counter, so that the limit holds. It
 * is only read again when an account may match it, since that is an expensive statement and most address books match
 * few accounts; a contact without addresses matches none, so that its insertion is one statement with its event.
 * @param limit the capacity of an address book
 * @throws ApiError `limit_reached` when it is full, possibly only at the end of the change
 */
export async function insertContact(
  change: Change,
  owner_id: string,
  draft: ContactDraft,
  limit: number,
): Promise<ContactRow> {
  const { db, now } = change;
  const row = { ...draft, id: change.id('con'), revision: 1, user: null, created_at: now, updated_at: now };
  const explain = (error: unknown) => explainFullBook(error, limit);
  if (countAddresses(draft) === 0) {
    change.awaitAtCommit(change.writeWithEvents(insertion(row, owner_id, limit, sql`id`)).catch(explain));
    return row;
  }
  const inserted = insertion(row, owner_id, limit, sql`${mayMatch(draft)} as may_match`);
  const { may_match } = await db
    .one<{ may_match: boolean }>(sql`with ${inserted} select may_match from made`)
    .catch(explain);
  return may_match ? requireContact(db, row.id, owner_id) : row;
}

const full_book = 'the address book is full';

/** @throws ApiError `limit_reached` for the failure of a full book, otherwise the error itself */
function explainFullBook(error: unknown, limit: number): never {
  if (isRefused(error, full_book)) refuseFullBook(limit);
  throw error;
}

/** The steps that insert a contact, `made` with a result, or fail with `full_book`. */
function insertion(
  { id, name, phones, emails, tag_name, im, note, favourite, details, created_at }: ContactRow & { created_at: Date },
  owner_id: string,
  limit: number,
  result: Sql,
): Sql {
  return sql`
    ${bookStep(owner_id)},
    made as (
      insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, details, created_at, updated_at)
      select ${id}, ${owner_id}, ${name}, ${JSON.stringify(phones)}::jsonb, ${JSON.stringify(emails)}::jsonb,
             ${tag_name}, ${JSON.stringify(im)}::jsonb, ${note}, ${favourite}::boolean, ${JSON.stringify(details)}::jsonb,
             ${created_at}::timestamptz, ${created_at}::timestamptz
      from book where case when book.count >= ${limit}::int then refuse(${full_book}) else true end
      returning ${result})`;
}

/**
 * Fails if a book is over its capacity: other insertions may have been committed since it was counted.
 * @throws ApiError `limit_reached`
 */
export async function requireWithinCapacity(db: Queryable, owner_id: string, limit: number): Promise<void> {
  const over = await db.maybe(sql`select 1 from contact_counts where owner_id = ${owner_id} and count > ${limit}::int`);
  if (over) refuseFullBook(limit);
}
