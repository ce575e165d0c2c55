/** Guests by link: people without an account who join one call, usually with its host's approval. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { revokeGuestTokens, sessionRevoked } from '../accounts/session-events.ts';
import { publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { admitsGuests } from '../visibility/calls.ts';
import { hostsOf } from './state/call-people.ts';
import type { CallRow } from './state/calls.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The stored states of a request to join. */
export const admission_values = ['waiting', 'admitted', 'declined'] as const;
/**
 * Only events show the states `away`, of a waiting guest whose page has been closed for half a minute, and `withdrawn`,
 * of one who withdrew and is deleted.
 */
const state_values = [...admission_values, 'withdrawn', 'away'] as const;

/** The maximum of waiting guests in a call: a host could not review more. */
export const max_waiting = default_limits.call_guests_waiting;

export const CallGuest = component(
  'CallGuest',
  object({ id: idOf('gst'), name: Type.String(), state: oneOf(...state_values), asked_at: moment }),
);

export const guestAsked = event(
  'call.guest_asked',
  'A guest without an account asks to join a call that you host or co-host, or is back after they were away.',
  object({ join_code: Type.String(), guest: CallGuest }),
);
export const guestDecided = event(
  'call.guest_decided',
  'A guest who asked to join a call by its link was admitted or declined, has withdrawn, or closed the page half a minute ago; for its hosts and, after a decision, the guest.',
  object({ join_code: Type.String(), guest: CallGuest }),
);

/** A guest who asks to join a call by its link. */
export type LinkGuestRow = {
  id: string;
  name: string;
  admission: (typeof state_values)[number];
  created_at: Date;
};

/** What the link of a call shows before joining. */
export type OpenCall = {
  id: string;
  join_code: string;
  media: CallRow['media'];
  guests: CallRow['guests'];
  host_ids: string[];
  host: PublicUserRow;
  is_recorded: boolean;
  participant_count: number;
};

/** The hosts of call `c`: its host, and the co-hosts who are in it. */
const hostIds = sql`(array(
  select c.host_id::text union select p.user_id::text from call_participants p
  where p.call_id = c.id and p.role = 'co_host' and p.state in ('joining', 'joined') and p.user_id is not null))`;

/** The topics of the hosts, who admit or decline guests. */
export const topicsOf = ({ host_ids }: Pick<OpenCall, 'host_ids'>) => host_ids.map((id) => `user:${id}` as const);

/** A call that admits guests by its link, with the details that are shown to the holder of the link. */
export async function selectCallForGuests(
  db: Queryable,
  join_code: string,
  { lock = false } = {},
): Promise<OpenCall | undefined> {
  if (lock) await db.run(sql`select 1 from calls where join_code = ${join_code} and state <> 'ended' for update`);
  return db.maybe<OpenCall>(sql`
    select c.id, c.join_code, c.media, c.guests, ${hostIds} as host_ids, ${publicUserJson('host')} as host,
      exists (select 1 from recordings r where r.call_id = c.id and r.state in ('announced', 'recording')) as is_recorded,
      (select count(*)::int from call_participants p where p.call_id = c.id and p.state = 'joined') as participant_count
    from calls c join users host on host.id = c.host_id where c.join_code = ${join_code} and ${admitsGuests}
    order by c.id desc limit 1`);
}

/** Whether a guest `gu` waits for admission: one who has closed the page does not, until they open it again. */
export const isWaiting = (now: Date) =>
  sql`gu.admission = 'waiting' and gu.away_since is null and gu.expires_at > ${now}`;

/**
 * Makes room for another waiting guest of a call, whose row is locked. Where a network or the call has too many, one of
 * them who has closed the page gives up their place.
 * @throws ApiError `plan_limit_reached` when too many wait, in all or from this network
 */
export async function reserveWaitingPlace(
  change: TokenChange & Pick<Change, 'now'>,
  call: OpenCall,
  network_hash: string,
): Promise<void> {
  const waiting = await change.db.many<{ id: string; is_away: boolean; is_near: boolean }>(sql`
    select gu.id, gu.away_since is not null as is_away, gu.network_hash is not distinct from ${network_hash} as is_near
    from guests gu where gu.call_id = ${call.id} and gu.admission = 'waiting' and gu.expires_at > ${change.now} order by gu.id`);
  const near = waiting.filter(({ is_near }) => is_near);
  const is_network_full = near.length >= default_limits.call_guests_of_network;
  if (!is_network_full && waiting.length < max_waiting) return;
  const away = (is_network_full ? near : waiting).find(({ is_away }) => is_away);
  if (!away) fail('plan_limit_reached', { message: 'Too many people are waiting. Try again shortly.' });
  await withdrawLinkGuest(change, call.join_code, away.id);
}

/** Guests `gu` of calls that a condition selects, in the order of their requests. */
export const selectLinkGuests = (db: Queryable, which: Sql): Promise<LinkGuestRow[]> =>
  db.many<LinkGuestRow>(sql`
    select gu.id, gu.name, gu.admission, gu.created_at from guests gu where ${which} order by gu.id limit ${max_waiting}::int`);

/** A guest as presented to the guest and to the hosts. */
export const presentCallGuest = ({ id, name, admission, created_at }: LinkGuestRow): Static<typeof CallGuest> => ({
  id,
  name,
  state: admission,
  asked_at: wireTime(created_at),
});

/**
 * Admits or declines one or all waiting guests; notifies hosts and guests.
 * @returns these guests
 */
export async function decideAdmission(
  change: TokenChange,
  call: Pick<CallRow, 'id' | 'host_id' | 'join_code' | 'participants'>,
  admission: 'admitted' | 'declined',
  guest_id?: string,
): Promise<LinkGuestRow[]> {
  const { db, emit } = change;
  const decided = await db.many<LinkGuestRow>(sql`
    update guests set admission = ${admission} where call_id = ${call.id} and admission = 'waiting'
      and (${guest_id ?? null}::text is null or id = ${guest_id ?? null}) returning id, name, admission, created_at`);
  const topics = topicsOf({ host_ids: hostsOf(call) });
  for (const one of decided)
    emit(guestDecided, [...topics, `user:${one.id}`], { join_code: call.join_code, guest: presentCallGuest(one) });
  if (admission === 'declined') revokeGuestTokens(change, call.id, decided);
  return decided;
}

/** Revokes the token of a guest by link whom a host has removed from the call. Guests of widgets keep theirs. */
export async function barLinkGuest(change: TokenChange, call_id: string, guest_id: string): Promise<void> {
  const barred = await change.db.many<{ id: string }>(sql`
    update guests set admission = 'declined' where id = ${guest_id} and call_id = ${call_id} returning id`);
  revokeGuestTokens(change, call_id, barred);
}

type TokenChange = Pick<Change, 'db' | 'emit' | 'afterCommit' | 'services'>;

/**
 * Deletes a waiting guest, with their token, and notifies the hosts.
 * @throws ApiError `not_found`, or `already_decided` when they are no longer waiting
 */
export async function withdrawLinkGuest(change: TokenChange, join_code: string, guest_id: string): Promise<void> {
  const { db, emit } = change;
  const which = sql`gu.id = ${guest_id} and gu.call_id in (select id from calls where join_code = ${join_code})`;
  const gone = await db.maybe<Omit<LinkGuestRow, 'admission'> & { call_id: string; host_ids: string[] }>(sql`
    delete from guests gu using calls c where ${which} and c.id = gu.call_id and gu.admission = 'waiting'
    returning gu.id, gu.name, gu.created_at, c.id as call_id, ${hostIds} as host_ids`);
  if (!gone) {
    found((await selectLinkGuests(db, which))[0]);
    fail('already_decided');
  }
  emit(guestDecided, topicsOf(gone), { join_code, guest: presentCallGuest({ ...gone, admission: 'withdrawn' }) });
  revokeGuestTokens(change, gone.call_id, [gone]);
}

/** Records that a waiting guest has no connection left, or is connected again, and notifies the hosts of a change. */
export async function updateGuestPresence(
  { db, emit, now }: Pick<Change, 'db' | 'emit' | 'now'>,
  guest_id: string,
  online: boolean,
): Promise<void> {
  const changed = await db.maybe<LinkGuestRow & { join_code: string; host_ids: string[] }>(sql`
    update guests gu set away_since = ${online ? null : now}::timestamptz from calls c
    where gu.id = ${guest_id} and c.id = gu.call_id and c.state <> 'ended' and gu.admission = 'waiting'
      and (gu.away_since is null) = ${!online}
    returning gu.id, gu.name, gu.admission, gu.created_at, c.join_code, ${hostIds} as host_ids`);
  if (!changed) return;
  const guest = presentCallGuest(online ? changed : { ...changed, admission: 'away' });
  emit(online ? guestAsked : guestDecided, topicsOf(changed), { join_code: changed.join_code, guest });
}

/** Revokes the tokens of all guests by link of a call: on this node with the commit, on every other within a second. */
export function endLinkGuests(change: Change, call: CallRow): void {
  const had_some = call.participants.some(({ guest_id, invited }) => guest_id !== null && !invited);
  if (call.guests === 'off' && !had_some) return;
  change.emit(sessionRevoked, [`session:${call.id}`], { session_id: call.id });
  change.afterCommit(() => change.services.sessions.drop(call.id));
}
