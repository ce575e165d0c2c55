/** Starting a call: its rows, its host in state `joining`, and all callees. */
import { isUniqueViolation, sql } from '../../../kernel/database/database.ts';
import { fail, found } from '../../../kernel/errors.ts';
import type { Change } from '../../../kernel/services.ts';
import type { PublicUserRow } from '../../accounts/accounts.ts';
import { isIn, openUpdate } from '../state/transition.ts';
import { finishUpdate, updateCall } from '../update-call.ts';
import { generateJoinCode, selectActiveCall, type CallRow, type ParticipantRow } from '../state/calls.ts';
import { generatePin, enqueueDialInRoute } from '../phones/dial-in-pins.ts';
import { inviteAll } from './invite-callees.ts';
import { refuseBlocked, type Callee, type Inviter } from './callees.ts';
import { newParticipant } from '../participants.ts';
import { ring } from '../ringing.ts';

/** What a new call is like, and whom it rings. */
export type NewCall = {
  privacy?: CallRow['privacy'];
  media?: CallRow['media'];
  group_id?: string | null;
  of_grid?: boolean;
  /** The guest of a widget who calls its owner, and starts the call that the owner hosts. */
  guest?: { guest_id: string; name: string; name_is_default: boolean };
  /** Rings the host's own devices, who joins by answering; otherwise the host joins at once. */
  host_rings?: boolean;
  /** The calendar event of the call, whose join code it gets. */
  event?: { id: string; owner_id: string; join_code: string };
  /** The lasting room of the call, whose join code it gets. */
  room?: { id: string; owner_id: string; join_code: string; guests: CallRow['guests'] };
  callees: Callee[];
};

/** The first participant: the host, joining or rung first, or a guest who calls the host. */
function firstParticipant(
  { id, now }: Pick<Change, 'id' | 'now'>,
  { guest, host_rings }: NewCall,
  user: PublicUserRow,
): ParticipantRow {
  const part_id = id('part');
  if (guest) return { ...newParticipant(part_id, null, guest.name), ...guest, role: 'host', joining_at: now };
  const host: ParticipantRow = { ...newParticipant(part_id, user.id, user.display_name), role: 'host', user };
  return host_rings ? { ...host, state: 'ringing', rung_at: now } : host;
}

/** The columns of a call that are the same at every start. */
const untouched_call = {
  state: 'ringing',
  chat_history: 'from_joining',
  locked: false,
  recording: null,
  ended_at: null,
  end_reason: null,
  empty_since: null,
} as const;

/** Turns a unique violation into the error that somebody is in another call. @throws ApiError `call_in_progress` */
function refuseSecondCall(error: unknown): never {
  const indexes = ['call_participants_active', 'call_participants_guest_active'];
  if (indexes.some((name) => isUniqueViolation(error, name))) fail('call_in_progress');
  throw error;
}

/**
 * Starts a call of the host and rings all callees.
 * @throws ApiError `call_in_progress` when the host is in one already, `plan_limit_reached`
 */
export async function createCall(change: Change, host: Inviter, settings: NewCall): Promise<CallRow> {
  const { privacy = 'private', media = 'audio', group_id = null, of_grid = false, event, room, callees } = settings;
  const { db, now, id } = change;
  const call_id = id('conf');
  const pin = change.services.telephony.dial_in_number ? generatePin() : null;
  const place = event ?? room;
  const join_code = place?.join_code ?? generateJoinCode();
  const guests = room?.guests ?? 'off';
  const user = await db.one<PublicUserRow>(sql`
    with made as (
      insert into calls (id, join_code, host_id, started_by, state, privacy, media, group_id, of_grid, dial_in_pin, event_id, room_id, guests, started_at)
      values (${call_id}, ${join_code}, ${host.user_id}, ${host.user_id}, 'ringing', ${privacy}, ${media}, ${group_id}, ${of_grid}, ${pin}, ${event?.id ?? null}, ${room?.id ?? null}, ${guests}, ${now}))
    select id, username, display_name, avatar_key from users where id = ${host.user_id}`);
  const first = firstParticipant(change, settings, user);
  const row = { id: call_id, join_code, privacy, guests, media, group_id, of_grid, dial_in_pin: pin };
  // The new call is not visible to other transactions, so that it needs neither a lock nor to be read.
  const update = openUpdate<ParticipantRow, CallRow>(
    {
      ...row,
      ...untouched_call,
      host_id: user.id,
      host: user,
      started_by: user.id,
      event_id: event?.id ?? null,
      room_id: room?.id ?? null,
      place_owner_id: place?.owner_id ?? null,
      started_at: now,
      participants: [first],
    },
    now,
  );
  const rung = await inviteAll(change, update, callees, host, [first]).catch(refuseSecondCall);
  const call = await finishUpdate(change, update, true);
  await ring(change, call, settings.host_rings ? [first, ...rung] : rung);
  if (pin) enqueueDialInRoute(change, call_id);
  return call;
}

/**
 * Adds callees to the call that a user is in.
 * @throws ApiError `not_found` when they are in none, `validation_failed` for callees whom a block separates from the
 *   host
 */
export async function inviteMore(change: Change, inviter: Inviter, callees: Callee[]): Promise<CallRow> {
  const active = found(await selectActiveCall(change.db, inviter.user_id));
  let rung: ParticipantRow[] = [];
  const call = await updateCall(change, active.id, async (update) => {
    const inviting = update.call.participants.find(({ user_id }) => user_id === inviter.user_id);
    if (!inviting || !isIn(inviting)) fail('not_found');
    await refuseBlocked(change.db, update.call.host_id, callees);
    rung = await inviteAll(change, update, callees, inviter);
    return rung.length > 0;
  });
  await ring(change, call, rung);
  return call;
}
