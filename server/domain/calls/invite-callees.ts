/** Adds callees to a call: new ones as new rows; those who left are rung again. */
import { fail } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import { isPresent } from './transition.ts';
import type { CallUpdate } from './update-call.ts';
import type { ParticipantRow } from './calls.ts';
import type { Invitee, Inviter } from './callees.ts';
import { blankParticipant, canTakeIn, insertParticipants, requireRoom } from './participants.ts';
import { createLegs } from './phones/phone-legs.ts';

/**
 * Adds people to a call within its update: those in it stay as they are, those who left are rung again. Somebody in
 * another call becomes `busy` if they would let this caller know that they are connected, and is otherwise not
 * disturbed.
 * @param written_with other participants, whose rows are written in the same statement
 * @returns those who are to be rung now
 * @throws ApiError `plan_limit_reached`
 */
export async function inviteAll(
  change: Change,
  turn: CallUpdate,
  invitees: Invitee[],
  inviter: Inviter,
  written_with: ParticipantRow[] = [],
): Promise<ParticipantRow[]> {
  const { call } = turn;
  const fresh: ParticipantRow[] = [];
  const called: { part: ParticipantRow; invitee: Invitee }[] = [];
  for (const invitee of invitees) {
    const known = call.participants.find((one) => isSame(one, invitee));
    if (known && isPresent(known)) continue;
    const part = known ?? makeParticipant(change, invitee, inviter.user_id);
    if (known) ringAnew(turn, known, invitee, inviter.user_id);
    else fresh.push(part);
    part.quiet ||= invitee.user !== null && (invitee.user.undisturbed || invitee.user.engaged);
    called.push({ part, invitee });
  }
  if (!canTakeIn(call, fresh.length)) fail('plan_limit_reached', { message: 'This call is full.' });
  call.participants.push(...fresh);
  await requireRoom(change.db, call, 0, call.host_id === inviter.user_id ? inviter.tier : undefined);
  await insertParticipants(change.db, call.id, [...written_with, ...fresh]);
  for (const { part, invitee } of called)
    if (invitee.user?.engaged && invitee.user.told_engaged && !part.silent) turn.move(part, 'engaged');
  const rung = called.map(({ part }) => part).filter(({ state }) => state === 'ringing');
  await createLegs(change, call, rung, inviter);
  return rung;
}

/** A person who is rung again has a new inviter: their reach decides again whether they are alerted. */
function ringAnew(turn: CallUpdate, known: ParticipantRow, { user, contact_id }: Invitee, inviter_id: string): void {
  turn.move(known, 'rung');
  const is_unreached = user !== null && !user.reached;
  // Somebody who was notified of the call before can still see it.
  Object.assign(known, { silent: known.silent && is_unreached, quiet: is_unreached });
  if (!is_unreached) Object.assign(known, { invited_by: inviter_id, contact_id });
}

const isSame = (one: ParticipantRow, { user, phone }: Invitee) =>
  user ? one.user_id === user.id : one.user_id === null && one.phone === phone;

function makeParticipant(
  { id, now }: Change,
  { user, phone, name, name_is_default = false, contact_id, is_hidden }: Invitee,
  inviter_id: string,
): ParticipantRow {
  return {
    ...blankParticipant(id('part'), user?.id ?? null, name),
    name_is_default,
    state: 'ringing',
    user,
    phone,
    phone_known_to: phone && !is_hidden ? inviter_id : null,
    contact_id,
    invited_by: inviter_id,
    // Somebody who does not want to be reached is not alerted, which looks to the caller like an unanswered call.
    silent: user !== null && !user.reached,
    rung_at: now,
  };
}
