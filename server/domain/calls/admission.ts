/** Admission: whether a media grant may be used now, regardless of when it was issued. */
import type { ReadGrant } from '../../engines/ports.ts';
import { empty, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { isId } from '../../kernel/id.ts';
import type { Services } from '../../kernel/services.ts';
import { mayReturn } from './state/calls.ts';

/**
 * Decides whether a client may join its room, and creates the room if necessary. To be called at each use of a grant:
 * after a removal, a block, or the end of the call or session, earlier grants are invalid.
 */
export async function admitToRoom(services: Services, grant: ReadGrant): Promise<boolean> {
  const { db, media } = services;
  const is_admitted = await db.transaction(async (tx) => {
    // Locks the session, so that its end either is seen here or finds the participant who joined with it.
    if (!(await isCurrent(tx, grant, sql`for share of s`))) return false;
    await recordAdmission(tx, grant);
    return true;
  });
  if (!is_admitted) return false;
  await media.openRoom(grant.room);
  if (await isCurrent(db, grant)) return true;
  // If the call ended meanwhile, its room was closed before it was created.
  const is_over = await db.run(sql`select 1 from calls where id = ${grant.room} and state = 'ended'`);
  if (is_over > 0) await media.closeRoom(grant.room);
  return false;
}

async function isCurrent(db: Queryable, grant: ReadGrant, lock: Sql = empty): Promise<boolean> {
  const { room, identity, session_id, generation } = grant;
  if (isId('part', identity)) return isGuestAdmitted(db, grant, lock);
  const found = await db.maybe<{ is_in: boolean }>(sql`
    select p.state in ('joining', 'joined') as is_in
    from call_participants p join calls c on c.id = p.call_id
    join sessions s on s.id = ${session_id} and s.user_id = p.user_id and s.revoked_at is null
    where p.call_id = ${room} and p.user_id = ${identity} and p.grant_generation = ${generation} and c.state <> 'ended'
      and (p.state in ('joining', 'joined') or (p.state = 'left' and p.joining_at is not null)) ${lock}`);
  return found !== undefined && (found.is_in || mayReturn(db, room, identity));
}

/** Whether the grant of a guest is current; it names their widget or call instead of a session. */
async function isGuestAdmitted(
  db: Queryable,
  { room, identity, session_id, generation }: ReadGrant,
  lock: Sql,
): Promise<boolean> {
  const place = isId('conf', session_id)
    ? sql`join calls s on s.id = gu.call_id and gu.admission = 'admitted'`
    : sql`join widgets s on s.id = gu.widget_id and s.enabled and s.deleted_at is null and gu.created_at >= s.guests_since`;
  const found = await db.maybe(sql`
    select 1 from call_participants p join calls c on c.id = p.call_id join guests gu on gu.id = p.guest_id ${place}
    where p.call_id = ${room} and p.id = ${identity} and p.grant_generation = ${generation} and c.state <> 'ended'
      and s.id = ${session_id}
      and (p.state in ('joining', 'joined') or (p.state = 'left' and p.joining_at is not null)) ${lock}`);
  return found !== undefined;
}

/** Records the session and grant with which a participant joined, so that the end of either removes them. */
async function recordAdmission(db: Queryable, { room, identity, session_id, generation }: ReadGrant): Promise<void> {
  await db.run(sql`
    update call_participants set session_id = ${session_id}, admitted_generation = ${generation}
    where call_id = ${room} and ${isId('part', identity) ? sql`id` : sql`user_id`} = ${identity}
      and (session_id, admitted_generation) is distinct from (${session_id}, ${generation}::integer)`);
}
