import type { Tier } from '../../domain/entitlements.ts';
import type { CallRow, ParticipantRow } from '../../domain/conferences.ts';
import { join, sql, type Queryable } from '../../kernel/database.ts';
import type { PublicUserRow } from '../../domain/accounts.ts';
import { isNamed } from '../../domain/tags.ts';
import { mayMeet, mayOpenTag, mayReach } from '../../domain/visibility.ts';

export type Callee = PublicUserRow & { reached: boolean };
export type Target = { user_id?: string; tag?: string };

/** Who a target means: a user, or the owner of a tag that the caller may open. Undefined when there is nobody. */
export async function selectCallee(
  db: Queryable,
  target: Target,
  caller_id: string,
  now: Date,
): Promise<Callee | undefined> {
  const which = target.user_id
    ? sql`u.id = ${target.user_id}`
    : sql`exists (select 1 from tags t where t.owner_id = u.id and ${isNamed(target.tag?.toLowerCase() ?? '', now)} and ${mayOpenTag(caller_id)})`;
  return db.maybe<Callee>(sql`
    select u.id, u.username, u.display_name, u.avatar_key, ${mayReach(caller_id, 'call')} as reached
    from users u where ${which} and ${mayMeet(caller_id)}`);
}

/** Which of some people are kept apart from the caller by now. */
export async function selectApart(db: Queryable, user_ids: string[], caller_id: string): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(
    sql`select other_id as id from apart where user_id = ${caller_id} and other_id = any(${user_ids}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The names under which people enter a call. */
export async function selectName(db: Queryable, user_id: string): Promise<string> {
  return (await db.one<{ display_name: string }>(sql`select display_name from users where id = ${user_id}`))
    .display_name;
}

/** The plan of a call's host, by which the call is measured. */
export async function selectTier(db: Queryable, user_id: string): Promise<Tier> {
  return (await db.one<{ tier: Tier }>(sql`select tier from users where id = ${user_id}`)).tier;
}

export type NewCall = Pick<CallRow, 'id' | 'join_code' | 'host_id' | 'privacy' | 'media' | 'started_at'>;

export async function insertCall(db: Queryable, call: NewCall): Promise<void> {
  await db.run(sql`
    insert into calls (id, join_code, host_id, state, privacy, media, started_at)
    values (${call.id}, ${call.join_code}, ${call.host_id}, 'ringing', ${call.privacy}, ${call.media}, ${call.started_at})`);
}

export type NewParticipant = Pick<ParticipantRow, 'id' | 'name' | 'state' | 'role' | 'silent'> & {
  user_id: string;
  rung_at?: Date;
  joining_at?: Date;
};

export async function insertParticipants(
  db: Queryable,
  call_id: string,
  participants: NewParticipant[],
): Promise<void> {
  const rows = participants.map(
    (one) =>
      sql`(${one.id}, ${call_id}, ${one.user_id}, ${one.name}, ${one.state}, ${one.role}, ${one.silent}::boolean, ${one.rung_at ?? null}::timestamptz, ${one.joining_at ?? null}::timestamptz)`,
  );
  await db.run(
    sql`insert into call_participants (id, call_id, user_id, name, state, role, silent, rung_at, joining_at) values ${join(rows)}`,
  );
}

export type CallMessageRow = {
  id: string;
  kind: 'text' | 'media' | 'system';
  body: string;
  created_at: Date;
  author: PublicUserRow | null;
};
