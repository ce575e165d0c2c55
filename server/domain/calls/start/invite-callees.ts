/** Adds callees to a call: new ones as new rows; those who left are rung again. */
import { fail } from '../../../kernel/errors.ts';
import type { Change } from '../../../kernel/services.ts';
import { isPresent } from '../state/transition.ts';
import type { CallUpdate } from '../update-call.ts';
import type { ParticipantRow } from '../state/calls.ts';
import type { Callee, Inviter } from './callees.ts';
import { newParticipant, hasCapacity, insertParticipants, requireCapacity } from '../participants.ts';
import { createLegs } from '../dialing/phone-legs.ts';

/**
 * Adds people to a call within its update: those in it stay as they are, those who left are rung again. A callee who is
 * in another call becomes `busy` if this caller may see that they are online, and is otherwise rung without an alert.
 * @param written_with other participants, whose rows are written in the same statement
 * @returns those who are to be rung now
 * @throws ApiError `plan_limit_reached`
 */
export async function inviteAll(
  change: Change,
  update: CallUpdate,
  callees: Callee[],
  inviter: Inviter,
  written_with: ParticipantRow[] = [],
): Promise<ParticipantRow[]> {
  const { call } = update;
  const fresh: ParticipantRow[] = [];
  const called: { participant: ParticipantRow; callee: Callee }[] = [];
  for (const callee of callees) {
    const known = call.participants.find((one) => isSame(one, callee));
    if (known && isPresent(known)) continue;
    const participant = known ?? makeParticipant(change, callee, inviter.user_id);
    if (known) ringCalleeAgain(update, known, callee, inviter.user_id);
    else fresh.push(participant);
    participant.not_alerted ||= callee.user !== null && (callee.user.do_not_disturb || callee.user.engaged);
    called.push({ participant, callee });
  }
  if (!hasCapacity(call, fresh.length)) fail('plan_limit_reached', { message: 'This call is full.' });
  call.participants.push(...fresh);
  await requireCapacity(change.db, call, 0, call.host_id === inviter.user_id ? inviter.tier : undefined);
  await insertParticipants(change.db, call.id, [...written_with, ...fresh]);
  for (const { participant, callee } of called)
    if (callee.user?.engaged && callee.user.shows_busy && !participant.suppressed) update.apply(participant, 'engaged');
  const rung = called.map(({ participant }) => participant).filter(({ state }) => state === 'ringing');
  await createLegs(change, call, rung, inviter);
  return rung;
}

/** A person who is rung again has a new inviter: their reach decides again whether they are alerted. */
function ringCalleeAgain(
  update: CallUpdate,
  known: ParticipantRow,
  { user, contact_id }: Callee,
  inviter_id: string,
): void {
  update.apply(known, 'rung');
  const is_unreached = user !== null && !user.reached;
  // A person who was notified of the call before can still see it.
  Object.assign(known, { suppressed: known.suppressed && is_unreached, not_alerted: is_unreached });
  if (!is_unreached) Object.assign(known, { invited_by: inviter_id, contact_id });
}

const isSame = (one: ParticipantRow, { user, phone }: Callee) =>
  user ? one.user_id === user.id : one.user_id === null && one.phone === phone;

function makeParticipant(
  { id, now }: Change,
  { user, phone, name, name_is_default = false, contact_id, is_hidden }: Callee,
  inviter_id: string,
): ParticipantRow {
  return {
    ...newParticipant(id('part'), user?.id ?? null, name),
    name_is_default,
    state: 'ringing',
    user,
    phone,
    phone_known_to: phone && !is_hidden ? inviter_id : null,
    contact_id,
    invited_by: inviter_id,
    // A person whose reach excludes the caller is not alerted, which looks to the caller like an unanswered call.
    suppressed: user !== null && !user.reached,
    rung_at: now,
  };
}
