/**
 * The people of a call: who is displayed as its caller, who hosts it, and who is hidden from its viewer afterwards.
 */
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { isActorVisible } from '../../visibility/people.ts';
import { participantOf, type CallRow, type ParticipantRow } from './calls.ts';
import { isIn, isPresent } from './transition.ts';

/**
 * The displayed caller of a call: its host, or, for the owner of a widget, the guest who started it. People whom the
 * owner adds are called by the owner.
 */
export function callerNameOf(call: CallRow, callee_id: string | null): string {
  return (callee_id === call.host_id && guestOf(call)?.name) || call.host.display_name;
}

/** The widget guest who started a call; guests by link only join. */
export function guestOf(call: CallRow): ParticipantRow | undefined {
  return call.participants.find(({ guest_id, invited }) => guest_id !== null && invited);
}

/** Whether a user hosts a call: as its host, or as a co-host who is in it. */
export function isHosting(call: Pick<CallRow, 'host_id' | 'participants'>, user_id: string): boolean {
  return (
    call.host_id === user_id ||
    call.participants.some((one) => one.user_id === user_id && one.role === 'co_host' && isIn(one))
  );
}

/** The hosts of a call: the host, and the co-hosts who are in it. */
export const hostsOf = ({ host_id, participants }: Pick<CallRow, 'host_id' | 'participants'>): string[] => [
  host_id,
  ...participants.flatMap((one) => (one.role === 'co_host' && isIn(one) && one.user_id ? one.user_id : [])),
];

/** The people in some calls whom a block or a suspension hides from a person. */
export async function selectHiddenPeople(
  db: Queryable,
  viewer_id: string,
  calls: Pick<CallRow, 'participants'>[],
): Promise<Set<string>> {
  const ids = calls.flatMap(({ participants }) => participants.flatMap((one) => one.user_id ?? []));
  if (ids.length === 0) return new Set();
  const rows = await db.many<{ id: string }>(
    sql`select u.id from users u where u.id = any(${ids}::text[]) and not ${isActorVisible(viewer_id, 'u.id')}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * A call as a viewer may see it: once it is over for them, without the people whom a block or a suspension hides. While
 * they are in it or may answer it, they see everybody whom they would hear there.
 */
export async function withoutHiddenPeople(db: Queryable, call: CallRow, viewer_id: string): Promise<CallRow> {
  const own = participantOf(call, viewer_id);
  if (call.state !== 'ended' && (!own || isPresent(own))) return call;
  return without(call, await selectHiddenPeople(db, viewer_id, [call]));
}

/** A call without some people. */
const without = (call: CallRow, hidden: ReadonlySet<string>): CallRow => ({
  ...call,
  participants: call.participants.filter((one) => !one.user_id || !hidden.has(one.user_id)),
});

/**
 * How the participants see a call for whom something in it is hidden, by their account: people whom a block hides, once
 * the call is over for them, and the dial-in, when they have left and may perhaps not come back.
 */
export async function selectPartialViews(db: Queryable, call: CallRow): Promise<Map<string, CallRow>> {
  const ids = call.participants.flatMap((one) => one.user_id ?? []);
  const past_ids = call.participants.flatMap((one) => (isPresent(one) ? [] : (one.user_id ?? [])));
  const rows =
    past_ids.length === 0
      ? []
      : await db.many<{ user_id: string; hidden_ids: string[] }>(sql`
          select user_id, array_agg(other_id::text) as hidden_ids from blocked_pairs
          where user_id = any(${past_ids}::text[]) and other_id = any(${ids}::text[]) group by user_id`);
  const views = new Map(rows.map(({ user_id, hidden_ids }) => [user_id, without(call, new Set(hidden_ids))]));
  for (const one of call.participants) {
    const id = one.user_id ?? one.guest_id;
    const may_return = one.removed_at === null && (one.invited || isPresent(one) || call.privacy === 'public');
    if (id !== null && !may_return) views.set(id, { ...(views.get(id) ?? call), dial_in_pin: null });
  }
  return views;
}

/**
 * Whether a participant is notified of each change of a call: those who are in it, are rung, or were in it and may return.
 * Those who have not answered are notified of that, and of the end: otherwise a call into which many people are invited
 * would send all of them a copy of itself whenever anybody raises a hand.
 */
export const isNotified = (call: CallRow, one: ParticipantRow): boolean =>
  one.removed_at === null &&
  (isPresent(one) ||
    ((one.joined_at !== null || one.role === 'host' || call.state === 'ended') &&
      (one.invited || call.privacy === 'public')));
