import { selectCall, type CallRow } from '../../domain/calls/state/calls.ts';
import { contactColumns, type ContactRow } from '../../domain/contacts/contacts.ts';
import { inOrder } from '../../kernel/change-effects.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** The contacts of a grid, in order. */
export async function selectGrid(db: Queryable, owner_id: string): Promise<ContactRow[]> {
  return db.many<ContactRow>(sql`
    select ${contactColumns(owner_id)} from grid_members g join contacts c on c.id = g.contact_id
    where g.owner_id = ${owner_id} order by g.position, g.contact_id`);
}

/** The call of a user's grid that they host and are in or joining. */
export async function selectGridCall(db: Queryable, owner_id: string): Promise<CallRow | undefined> {
  return selectCall(
    db,
    sql`c.of_grid and c.host_id = ${owner_id} and c.id = (
      select v.call_id from call_participants v where v.user_id = ${owner_id} and v.state in ('joining', 'joined'))`,
  );
}

/** Locks a grid until the end of the transaction, so that its changes are serialised. */
const lockGrid = (db: Queryable, owner_id: string): Promise<unknown> =>
  db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`grid ${owner_id}`}, 0))`);

/** Locks a grid, and returns its members in order. */
export async function lockMembers(db: Queryable, owner_id: string): Promise<string[]> {
  await lockGrid(db, owner_id);
  const rows = await db.many<{ contact_id: string }>(
    sql`select contact_id from grid_members where owner_id = ${owner_id} order by position, contact_id`,
  );
  return rows.map(({ contact_id }) => contact_id);
}

/**
 * Reorders a grid, which the caller has locked. Members whose contact is deleted meanwhile stay out of it.
 * @param contact_ids all members in their new order
 * @param added the one of them that is new, whose contact the caller has locked
 */
export async function writeOrder(
  db: Queryable,
  owner_id: string,
  { contact_ids, added }: { contact_ids: string[]; added: string | undefined },
  now: Date,
): Promise<void> {
  const places = sql`unnest(${contact_ids}::text[]) with ordinality as one(id, place)`;
  await db.run(sql`
    with added as (
      insert into grid_members (owner_id, contact_id, position, created_at)
      select ${owner_id}, one.id, one.place, ${now}::timestamptz from ${places} where one.id = ${added ?? null})
    update grid_members g set position = one.place from ${places} where g.owner_id = ${owner_id} and g.contact_id = one.id`);
}

/** Removes a contact from a grid. @returns whether it was in it */
export async function removeMember(db: Queryable, owner_id: string, contact_id: string): Promise<boolean> {
  const locked = lockGrid(db, owner_id);
  const removed = db.run(sql`delete from grid_members where owner_id = ${owner_id} and contact_id = ${contact_id}`);
  await inOrder([locked, removed]);
  return (await removed) > 0;
}
