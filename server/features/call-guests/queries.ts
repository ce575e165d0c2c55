import { isWaiting, type LinkGuestRow, selectLinkGuests } from '../../domain/calls/link-guests.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';

/** A guest before they are inserted; only hashes of their token and network are stored. */
export type NewGuest = {
  id: string;
  call_id: string;
  name: string;
  admission: string;
  token_hash: string;
  network_hash: string;
  created_at: Date;
  expires_at: Date;
};

/** Inserts a guest of a call with the hash of their token. */
export async function insertGuest(db: Queryable, guest: NewGuest): Promise<void> {
  await db.run(sql`
    insert into guests (id, call_id, name, token_hash, admission, network_hash, created_at, expires_at)
    values (${guest.id}, ${guest.call_id}, ${guest.name}, ${guest.token_hash}, ${guest.admission}, ${guest.network_hash},
      ${guest.created_at}, ${guest.expires_at})`);
}

/** A guest of a call by link. */
export async function selectGuestOfCall(db: Queryable, id: string, call_id: string): Promise<LinkGuestRow | undefined> {
  return (await selectLinkGuests(db, sql`gu.id = ${id} and gu.call_id = ${call_id}`))[0];
}

/** A guest of the call with a join code. */
export async function selectGuestByCode(
  db: Queryable,
  id: string,
  join_code: string,
): Promise<LinkGuestRow | undefined> {
  const [guest] = await selectLinkGuests(
    db,
    sql`gu.id = ${id} and gu.call_id in (select id from calls where join_code = ${join_code})`,
  );
  return guest;
}

/** The guests who wait for admission, longest first. */
export function selectWaitingGuests(db: Queryable, call_id: string, now: Date): Promise<LinkGuestRow[]> {
  return selectLinkGuests(db, sql`gu.call_id = ${call_id} and ${isWaiting(now)}`);
}

/** Whether a guest has an open realtime connection. */
export async function isGuestConnected(db: Queryable, guest_id: string): Promise<boolean> {
  return (await db.run(sql`select 1 from presence where guest_id = ${guest_id} limit 1`)) > 0;
}
