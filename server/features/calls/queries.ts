import { isOpenTo, mayOpenCall } from '../../domain/visibility/calls.ts';
import { type CallRow, isOwn, type ParticipantRow, selectCalls } from '../../domain/calls/state/calls.ts';
import { identityOf } from '../../domain/calls/state/room-identities.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** The participants of a call who could also join it without being called. */
export async function selectAllowedUninvited(db: Queryable, call_id: string): Promise<Set<string | null>> {
  const rows = await db.many<{ id: string }>(sql`
    select p.user_id as id from call_participants p join calls c on c.id = p.call_id
    where c.id = ${call_id} and p.user_id is not null and ${isOpenTo(sql`p.user_id`)}`);
  return new Set(rows.map(({ id }) => id));
}

/** The calls that ring a person and that they may see. */
export function selectRinging(db: Queryable, user_id: string, page: Page): Promise<CallRow[]> {
  return selectCalls(
    db,
    sql`${mayOpenCall(user_id)} and c.state <> 'ended' and c.id in (
      select v.call_id from call_participants v
      where v.user_id = ${user_id} and v.state = 'ringing' and not v.suppressed and not v.not_alerted) ${pageOf(page, 'c.id')}`,
  );
}

/** The room and the identity of a caller who is connected to a call; undefined for anybody else. */
export async function selectConnection(
  db: Queryable,
  join_code: string,
  caller_id: string,
): Promise<{ room: string; identity: string } | undefined> {
  const [row] = await db.many<{ call_id: string; id: string; user_id: string | null }>(sql`
    select p.call_id, p.id, p.user_id from call_participants p join calls c on c.id = p.call_id
    where c.join_code = ${join_code} and p.state = 'joined' and ${isOwn('p', caller_id)}`);
  return row && { room: row.call_id, identity: identityOf(row) };
}

/** Stores who may join a call and read its chat. */
export async function updateAccess(
  db: Queryable,
  { id, privacy, chat_history, guests, locked }: Pick<CallRow, 'id' | 'privacy' | 'chat_history' | 'guests' | 'locked'>,
): Promise<void> {
  await db.run(sql`
    update calls set privacy = ${privacy}, chat_history = ${chat_history}, guests = ${guests}, locked = ${locked}::boolean
    where id = ${id}`);
}

/** Stores when a participant raised their hand, or that it is lowered. */
export async function setHandOf(
  db: Queryable,
  { id, hand_raised_at }: Pick<ParticipantRow, 'id' | 'hand_raised_at'>,
): Promise<void> {
  await db.run(sql`update call_participants set hand_raised_at = ${hand_raised_at} where id = ${id}`);
}
