/** Calls: their wire format (`conference`), their rows, and loading those that a viewer may see. */
import { randomInt } from 'node:crypto';
import { raw, sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { found } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../../kernel/schema.ts';
import { wireTime, wireTimeOrNull } from '../../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../../accounts/accounts.ts';
import { markDefaultName, NameIsDefault } from '../../accounts/default-names.ts';
import { call_states, end_reasons, participant_states } from './call-machine.ts';
import { role_values, type CallLike, type ParticipantLike } from './transition.ts';
import { consent_values, consentColumn, type Consent } from './consent.ts';
import { mayOpenCall } from '../../visibility/calls.ts';
import { placeOwner } from '../../visibility/rooms.ts';
import type { Viewer } from '../../visibility/viewer.ts';
import { isActive } from '../../visibility/people.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import { dialInOf } from './dial-in-view.ts';

/** The states of a phone leg; the last four are final. */
export const leg_states = ['queued', 'ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up'] as const;
/** The state of a phone leg. */
export type LegState = (typeof leg_states)[number];

/** What a call is started with. */
export const media_values = ['audio', 'video'] as const;
/** Who may see and join a call besides those who were invited. */
export const privacy_values = ['private', 'followers', 'public'] as const;

/** Whether people without an account may join by the link: no, with the host's approval, or without it. */
export const guests_values = ['off', 'ask', 'open'] as const;

/** Whether late joiners read the chat from when they were called or joined, or from its beginning. */
export const chat_history_values = ['from_joining', 'all'] as const;

export const Participant = component(
  'Participant',
  object({
    id: idOf('part'),
    user: nullable(PublicUser),
    guest: nullable(object({ id: idOf('gst'), name: Type.String() }), {
      description: 'A guest without an account, from a widget or by the link.',
    }),
    phone: nullable(
      Type.String({
        description: 'In full for the person who called it; masked except for the last two digits for others.',
      }),
    ),
    contact_id: nullable(idOf('con')),
    name: Type.String(),
    name_is_default: NameIsDefault,
    state: oneOf(...participant_states),
    role: oneOf(...role_values),
    leg: nullable(object({ id: idOf('leg'), state: oneOf(...leg_states) })),
    recording_consent: nullable(oneOf(...consent_values), {
      description:
        'Whether they agreed to be recorded, if their client asks for consent. Null without a recording, for the person who started it, and for clients that do not ask; those participants are recorded after the notice.',
    }),
    hand_raised_at: nullable(moment, { description: 'When they raised their hand.' }),
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
    privacy: oneOf(...privacy_values),
    media: oneOf(...media_values),
    host: PublicUser,
    participants: Type.Array(Participant, { maxItems: default_limits.call_participants }),
    group_id: nullable(idOf('grp')),
    chat_history: oneOf(...chat_history_values),
    locked: Type.Boolean({ description: 'Only people who were called can join.' }),
    guests: { ...oneOf(...guests_values), description: 'Whether people without an account can join by the link.' },
    recording: nullable(
      object({
        id: idOf('rec'),
        state: oneOf('announced', 'recording'),
        started_at: moment,
        by: nullable(PublicUser),
      }),
    ),
    dial_in: nullable(object({ number: Type.String(), pin: Type.String() })),
    started_at: moment,
    ended_at: nullable(moment),
    end_reason: nullable(oneOf(...end_reasons)),
  }),
);

/** The code of a call in its address. */
export const JoinCode = Type.String({ pattern: '^[a-z]{3}-[a-z]{4}-[a-z]{3}$', description: 'abc-defg-hij' });

/** A participant with all that the call machine and presenters need. */
export type ParticipantRow = ParticipantLike & {
  /** A participant without an account; for a guest of a widget, the widget. */
  guest_id: string | null;
  user: PublicUserRow | null;
  name: string;
  name_is_default: boolean;
  /** E.164. */
  phone: string | null;
  /** The account that may see the number: the one that called it, directly or from its own contacts. */
  phone_known_to: string | null;
  contact_id: string | null;
  invited_by: string | null;
  leg: { id: string; state: LegState } | null;
  /** Rings silently: the callee's reach excludes this caller. */
  suppressed: boolean;
  /** Rings without alerting: the callee is in a call, or has do-not-disturb on. */
  not_alerted: boolean;
  /** The `grant_generation` of the grant with which they last joined; null before that. */
  admitted_generation: number | null;
  hand_raised_at: Date | null;
  /** Their client asks for consent before recording them. */
  asks_consent: boolean;
  recording_consent: Consent | null;
};

/** A call with its participants. */
export type CallRow = CallLike<ParticipantRow> & {
  id: string;
  join_code: string;
  host: PublicUserRow;
  started_by: string;
  privacy: (typeof privacy_values)[number];
  chat_history: (typeof chat_history_values)[number];
  guests: (typeof guests_values)[number];
  locked: boolean;
  media: (typeof media_values)[number];
  group_id: string | null;
  /** Started by calling the host's whole grid. */
  of_grid: boolean;
  /** The calendar event or lasting room that the call belongs to, and its owner. */
  event_id: string | null;
  room_id: string | null;
  place_owner_id: string | null;
  dial_in_pin: string | null;
  recording: { id: string; state: 'announced' | 'recording'; started_at: string; by: PublicUserRow | null } | null;
  started_at: Date;
};

/** A join code of ten letters, 47 bits: too many to guess within the budget of an account. */
export function generateJoinCode(): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCharCode(97 + randomInt(26))).join('');
  return `${letters(3)}-${letters(4)}-${letters(3)}`;
}

/** A number with all but its last two digits masked. */
const maskNumber = (number: string) => `${'•'.repeat(number.length - 2)}${number.slice(-2)}`;

/** The name of a phone for people who may not see its number: masked when the name is the number. */
export const maskNumberIn = (name: string, phone: string | null): string =>
  phone !== null && name.replaceAll(/[^+\d]/g, '') === phone ? maskNumber(phone) : name;

/** When a participant raised their hand; null while it is down, and after they left. */
export function handOf({ state, left_at, hand_raised_at }: ParticipantRow): Date | null {
  return state === 'joined' && hand_raised_at !== null && !(left_at && left_at >= hand_raised_at)
    ? hand_raised_at
    : null;
}

/** A call as its viewer sees it. */
export function presentCall(
  row: CallRow,
  { id: viewer_id, services }: Pick<Viewer, 'id' | 'services'>,
): Static<typeof Call> {
  return {
    conference_id: row.id,
    join_code: row.join_code,
    state: row.state,
    privacy: row.privacy,
    media: row.media,
    host: presentUser(row.host, { services }),
    participants: row.participants.map((one) => ({
      id: one.id,
      user: one.user && presentUser(one.user, { services }),
      guest: one.guest_id === null ? null : { id: one.guest_id, name: one.name },
      phone: one.phone && (one.phone_known_to === viewer_id ? one.phone : maskNumber(one.phone)),
      contact_id: one.invited_by === viewer_id ? one.contact_id : null,
      name: one.phone_known_to === viewer_id ? one.name : maskNumberIn(one.name, one.phone),
      ...markDefaultName(one),
      state: one.state,
      // The owner of a widget is the host of a guest's call from its first ring on.
      role: one.guest_id !== null ? 'guest' : one.user_id === row.host_id ? 'host' : one.role,
      leg: one.leg,
      recording_consent: one.recording_consent,
      hand_raised_at: wireTimeOrNull(handOf(one)),
      joined_at: wireTimeOrNull(one.joined_at),
      left_at: wireTimeOrNull(one.left_at),
    })),
    group_id: row.group_id,
    chat_history: row.chat_history,
    locked: row.locked,
    guests: row.guests,
    recording: row.recording && {
      id: row.recording.id,
      state: row.recording.state,
      started_at: wireTime(new Date(row.recording.started_at)),
      by: row.recording.by && presentUser(row.recording.by, { services }),
    },
    dial_in: dialInOf(row, participantOf(row, viewer_id), viewer_id, services.telephony.dial_in_number),
    started_at: wireTime(row.started_at),
    ended_at: wireTimeOrNull(row.ended_at),
    end_reason: row.end_reason,
  };
}

const participant_times = ['rung_at', 'joining_at', 'joined_at', 'left_at', 'removed_at', 'hand_raised_at'] as const;

/** One call with its participants, in the order in which they were added. */
export async function selectCall(db: Queryable, which: Sql): Promise<CallRow | undefined> {
  return (await selectCalls(db, which))[0];
}

/** Calls with their participants; `which` may end in an order. */
export async function selectCalls(db: Queryable, which: Sql): Promise<CallRow[]> {
  const rows = await db.many<CallRow>(sql`
    select c.id, c.join_code, c.host_id, c.started_by, c.state, c.privacy, c.chat_history, c.guests, c.locked, c.media, c.group_id, c.of_grid, c.dial_in_pin,
      c.event_id, c.room_id, ${placeOwner} as place_owner_id,
      c.started_at, c.ended_at, c.end_reason, c.empty_since, ${publicUserJson('host')} as host, p.participants,
      case when r.id is null then null else json_build_object('id', r.id, 'started_at', coalesce(r.started_at, r.announced_at),
        'state', r.state, 'by', (select ${publicUserJson('u')} from users u where u.id = r.started_by)) end as recording
    from calls c join users host on host.id = c.host_id
    left join recordings r on r.call_id = c.id and r.state in ('announced', 'recording'),
    lateral (
      select json_agg(json_build_object(
        'id', p.id, 'user_id', p.user_id, 'guest_id', p.guest_id, 'name', p.name, 'name_is_default', p.name_is_default, 'state', p.state, 'role', p.role, 'invited', p.invited,
        'rung_at', p.rung_at, 'joining_at', p.joining_at, 'joined_at', p.joined_at, 'left_at', p.left_at,
        'removed_at', p.removed_at, 'suppressed', p.suppressed, 'not_alerted', p.not_alerted, 'phone', p.phone, 'contact_id', p.contact_id,
        'invited_by', p.invited_by, 'phone_known_to', p.phone_known_to,
        'grant_generation', p.grant_generation, 'admitted_generation', p.admitted_generation,
        'hand_raised_at', p.hand_raised_at, 'asks_consent', p.asks_consent, 'recording_consent', ${consentColumn},
        'leg', case when l.id is null then null else json_build_object('id', l.id, 'state', l.state) end,
        'user', case when u.id is null then null else ${publicUserJson('u')} end) order by p.id) as participants
      from call_participants p left join users u on u.id = p.user_id left join call_legs l on l.id = p.leg_id
      where p.call_id = c.id
    ) p where ${which}`);
  for (const one of rows.flatMap(({ participants }) => participants)) {
    for (const name of participant_times) {
      const written = one[name] as unknown as string | null;
      one[name] = written === null ? null : new Date(written);
    }
  }
  return rows;
}

/** A call that a viewer may see. @throws ApiError `not_found` */
export async function requireCall(db: Queryable, join_code: string, viewer_id: string): Promise<CallRow> {
  return found(await selectOpenCall(db, join_code, viewer_id));
}

/**
 * A call that a viewer may see, or undefined. Calls of an event or a room share a code: this is the live one, or else the
 * last one.
 */
export async function selectOpenCall(
  db: Queryable,
  join_code: string,
  viewer_id: string,
): Promise<CallRow | undefined> {
  const newest = sql`order by c.state = 'ended', c.id desc limit 1`;
  return selectCall(db, sql`c.join_code = ${join_code} and ${mayOpenCall(viewer_id)} ${newest}`);
}

/**
 * Whether a participant whose connection was lost may return by an earlier grant: they may see the call, and are in no
 * other.
 */
export async function mayReturn(db: Queryable, call_id: string, user_id: string): Promise<boolean> {
  const rows = await db.run(sql`
    select 1 from calls c join users host on host.id = c.host_id join users me on me.id = ${user_id}
    where c.id = ${call_id} and ${mayOpenCall(user_id)} and ${isActive('me')}
      and not exists (select 1 from call_participants a where a.user_id = me.id and a.state in ('joining', 'joined'))`);
  return rows > 0;
}

/** Participant `alias` is the caller's: an account, or a guest of a widget. */
export const isOwn = (alias: string, caller_id: string): Sql =>
  isId('gst', caller_id) ? sql`${raw(alias)}.guest_id = ${caller_id}` : sql`${raw(alias)}.user_id = ${caller_id}`;

/** The caller's participant in a call; a guest of a widget has one under their own identifier. */
export function participantOf(call: CallRow, caller_id: string): ParticipantRow | undefined {
  return call.participants.find((one) => one.user_id === caller_id || one.guest_id === caller_id);
}

/** The call that an account or a guest is joining or in. */
export async function selectActiveCall(db: Queryable, user_id: string): Promise<CallRow | undefined> {
  return selectCall(
    db,
    sql`c.id = (select v.call_id from call_participants v where ${isOwn('v', user_id)} and v.state in ('joining', 'joined'))`,
  );
}
