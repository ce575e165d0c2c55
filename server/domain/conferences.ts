/** Conferences: what a call is on the wire and in the database, and who may see it. */
import { randomInt } from 'node:crypto';
import { sql, type Queryable, type Sql } from '../kernel/database.ts';
import { event } from '../kernel/event.ts';
import { found } from '../kernel/errors.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../kernel/schema.ts';
import { wireTime, wireTimeOrNull } from '../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from './accounts.ts';
import { areTogether, mayMeet, type Viewer } from './visibility.ts';

export const participant_states = [
  'ringing',
  'joining',
  'joined',
  'left',
  'declined',
  'no_answer',
  'busy',
  'failed',
] as const;
export const call_states = ['ringing', 'live', 'ended'] as const;
export const privacy_words = ['private', 'followers', 'public'] as const;

export const Participant = component(
  'Participant',
  object({
    id: idOf('part'),
    user: nullable(PublicUser),
    phone: nullable(Type.String()),
    name: Type.String(),
    state: oneOf(...participant_states),
    role: oneOf('host', 'guest'),
    joined_at: nullable(moment),
    left_at: nullable(moment),
  }),
);

export const Call = component(
  'Call',
  object({
    conference_id: idOf('conf'),
    join_code: Type.String(),
    state: oneOf(...call_states),
    privacy: oneOf(...privacy_words),
    media: oneOf('audio', 'video'),
    host: PublicUser,
    participants: Type.Array(Participant),
    group_id: nullable(idOf('grp')),
    started_at: moment,
    ended_at: nullable(moment),
    end_reason: nullable(oneOf('hung_up', 'empty', 'host_gone')),
  }),
);

export const callRinging = event('call.ringing', 'Somebody calls you.', object({ call: Call }));
export const callUpdated = event('call.updated', 'A call that you are part of has changed.', object({ call: Call }));
export const callEnded = event(
  'call.ended',
  'A call that you were part of or rung by has ended.',
  object({ call: Call }),
);

export const JoinCode = Type.String({ pattern: '^[a-z]{3}-[a-z]{4}-[a-z]{3}$', description: 'abc-defg-hij' });

export type ParticipantRow = {
  id: string;
  user_id: string | null;
  user: PublicUserRow | null;
  name: string;
  state: (typeof participant_states)[number];
  role: 'host' | 'guest';
  rung_at: string | null;
  joining_at: string | null;
  joined_at: string | null;
  left_at: string | null;
  /** Rung without being told: their reach does not let this caller through. */
  silent: boolean;
};

export type CallRow = {
  id: string;
  join_code: string;
  host_id: string;
  host: PublicUserRow;
  state: (typeof call_states)[number];
  privacy: (typeof privacy_words)[number];
  media: 'audio' | 'video';
  group_id: string | null;
  started_at: Date;
  ended_at: Date | null;
  end_reason: 'hung_up' | 'empty' | 'host_gone' | null;
  empty_since: Date | null;
  participants: ParticipantRow[];
};

/** A join code of ten letters, 47 bits: not to be guessed within the budget of an account. */
export function makeJoinCode(): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCharCode(97 + randomInt(26))).join('');
  return `${letters(3)}-${letters(4)}-${letters(3)}`;
}

/** A call as those who may see it see it. */
export function presentCall(row: CallRow, public_url: string): Static<typeof Call> {
  return {
    conference_id: row.id,
    join_code: row.join_code,
    state: row.state,
    privacy: row.privacy,
    media: row.media,
    host: presentUser(row.host, public_url),
    participants: row.participants.map((one) => ({
      id: one.id,
      user: one.user && presentUser(one.user, public_url),
      phone: null,
      name: one.name,
      state: one.state,
      role: one.role,
      joined_at: wireTimeOrNull(one.joined_at ? new Date(one.joined_at) : null),
      left_at: wireTimeOrNull(one.left_at ? new Date(one.left_at) : null),
    })),
    group_id: row.group_id,
    started_at: wireTime(row.started_at),
    ended_at: wireTimeOrNull(row.ended_at),
    end_reason: row.end_reason,
  };
}

/** One call with its participants, in the order in which they came in. */
export async function selectCall(db: Queryable, which: Sql): Promise<CallRow | undefined> {
  return db.maybe<CallRow>(sql`
    select c.*, ${publicUserJson('host')} as host, p.participants
    from calls c join users host on host.id = c.host_id,
    lateral (
      select json_agg(json_build_object(
        'id', p.id, 'user_id', p.user_id, 'name', p.name, 'state', p.state, 'role', p.role, 'rung_at', p.rung_at,
        'joining_at', p.joining_at, 'joined_at', p.joined_at, 'left_at', p.left_at, 'silent', p.silent,
        'user', case when u.id is null then null else ${publicUserJson('u')} end) order by p.id) as participants
      from call_participants p left join users u on u.id = p.user_id
      where p.call_id = c.id
    ) p where ${which}`);
}

/** Call `c` is one into which anybody may come whom no block keeps from its host. */
const isOpen = sql`(c.privacy = 'public' and c.state <> 'ended')`;

export type LiveRow = { join_code: string; participant_count: number; started_at: Date };

/**
 * The public call that a person hosts or is in, if a viewer may see them in it: their own before another's, the newest
 * first. Read from the call's own rows, so that it is what the call is at this moment.
 */
export async function selectLive(db: Queryable, user_id: string, viewer: Viewer): Promise<LiveRow | undefined> {
  return db.maybe<LiveRow>(sql`
    select c.join_code, c.started_at, (
      select count(*)::int from call_participants p where p.call_id = c.id and p.state in ('joining', 'joined')) as participant_count
    from calls c join users host on host.id = c.host_id
    where c.id in (
        select id from calls where host_id = ${user_id} and state <> 'ended'
        union
        select call_id from call_participants where user_id = ${user_id} and state in ('joining', 'joined'))
      and ${isOpen} and ${mayMeet(viewer.id, 'host')}
    order by (c.host_id = ${user_id}) desc, c.id desc limit 1`);
}

/**
 * Who may see call `c` of host `host`: who were called or are in it, or anybody while it is public and goes on; nobody
 * whom a block keeps from the host, and nobody while the host is suspended.
 */
export const mayOpenCall = (viewer_id: string): Sql => sql`
  ${areTogether(viewer_id, 'c.host_id')} and host.suspended_at is null and (
    exists (select 1 from call_participants v where v.call_id = c.id and v.user_id = ${viewer_id} and not v.silent)
    or ${isOpen})`;

/** A call that the caller may see. @throws ApiError `not_found` */
export async function requireCall(db: Queryable, join_code: string, viewer_id: string): Promise<CallRow> {
  return found(await selectCall(db, sql`c.join_code = ${join_code} and ${mayOpenCall(viewer_id)}`));
}

/** The caller's own part in a call. */
export function partOf(call: CallRow, user_id: string): ParticipantRow | undefined {
  return call.participants.find((one) => one.user_id === user_id);
}

/** The call that an account is on the way into or in. */
export async function selectActiveCall(db: Queryable, user_id: string): Promise<CallRow | undefined> {
  return selectCall(
    db,
    sql`c.id = (select v.call_id from call_participants v where v.user_id = ${user_id} and v.state in ('joining', 'joined'))`,
  );
}

/** How many calls somebody is in or on the way into. */
export async function selectCallsGoingOn(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct call_id)::int as count from call_participants where state in ('joining', 'joined')`);
  return count;
}
