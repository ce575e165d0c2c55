/** Entering a call: the caller on the way in, wherever they were. */
import { sql, type Queryable } from '../kernel/database.ts';
import type { CallTurn } from './calling.ts';
import { isPresent } from './call-turn.ts';
import { partOf } from './conferences.ts';
import { blankParticipant, canTakeIn, insertParticipants, requireRoom } from './participants.ts';
import { silenceDevice } from './ringing.ts';
import { fail } from '../kernel/errors.ts';
import type { Change } from '../kernel/services.ts';

/** Brings the caller on the way in, wherever they were; answers the name under which they come. */
export async function enterCall(
  change: Change,
  turn: CallTurn,
  caller: { user_id: string; session_id: string },
): Promise<string> {
  const { call } = turn;
  if (call.state === 'ended') fail('gone', { message: 'This call has ended.' });
  const part = partOf(call, caller.user_id);
  if (!part || !isPresent(part)) await requireRoom(change.db, call, 1);
  if (part) {
    if (part.state === 'ringing') await silenceDevice(change, caller.session_id);
    if (part.state !== 'joined') turn.move(part, 'answered');
    if (call.event_owner_id === caller.user_id) turn.makeHost(part);
    return part.name;
  }
  if (!canTakeIn(call, 1)) fail('plan_limit_reached', { message: 'This call cannot take in more people.' });
  const name = await selectName(change.db, caller.user_id);
  const fresh = {
    ...blankParticipant(change.id('part'), caller.user_id, name),
    invited: false,
    joining_at: change.now,
  };
  await insertParticipants(change.db, call.id, [fresh]);
  call.participants.push(fresh);
  turn.touch();
  // The owner of an event is host of its call when they are there, whoever came first.
  if (call.event_owner_id === caller.user_id) turn.makeHost(fresh);
  return name;
}

/** The name under which somebody enters a call. */
async function selectName(db: Queryable, user_id: string): Promise<string> {
  return (await db.one<{ display_name: string }>(sql`select display_name from users where id = ${user_id}`))
    .display_name;
}
