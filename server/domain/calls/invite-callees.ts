/** Brings invited people into a call: new ones as rows of their own, those who have gone called anew. */
import { fail } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import { isPresent } from './transition.ts';
import type { CallUpdate } from './update-call.ts';
import type { ParticipantRow } from './calls.ts';
import type { Invitee, Inviter } from './callees.ts';
import { blankParticipant, canTakeIn, insertParticipants, requireRoom } from './participants.ts';
import { createLegs } from './phones/phone-legs.ts';

/**
 * Brings people into a call, within its turn: who is there already stays as they are, who has gone is called anew. Who is
 * in another call is `busy` for those whom it would tell when they connect, and is not disturbed by others.
 * @param written_with others whose rows are written together with those of the called
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

/** Who is called anew is called by whoever does that now: whether they hear it is for their reach to say, once more. */
function ringAnew(turn: CallUpdate, known: ParticipantRow, { user, contact_id }: Invitee, inviter_id: string): void {
  turn.move(known, 'rung');
  const is_unreached = user !== null && !user.reached;
  // One who was told of the call before still sees it.
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
    // Whoever does not want to be reached hears nothing, and the caller cannot tell that from nobody answering.
    silent: user !== null && !user.reached,
    rung_at: now,
  };
}
