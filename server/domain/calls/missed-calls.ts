/** Missed calls in the inboxes of people who did not answer. */
import { sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { deliverToInbox } from '../inbox/inbox.ts';
import { guestOf } from './state/call-people.ts';
import type { CallRow, ParticipantRow } from './state/calls.ts';

/** Inserts missed calls for unanswered rings: from the person who called them, else from the host. */
export async function insertMissedCalls(change: Change, call: CallRow, missed: ParticipantRow[]): Promise<void> {
  if (missed.length === 0) return;
  // A message left after an earlier ring of the same call is not replaced.
  const mail = await change.db.many<{ user_id: string }>(sql`
    select user_id from inbox_messages
    where user_id = any(${missed.flatMap(({ user_id }) => user_id ?? [])}::text[]) and call_id = ${call.id}
      and kind <> 'missed_call'`);
  const messages = missed.flatMap((one) => {
    const caller =
      (one.user_id === call.host_id ? guestOf(call) : undefined) ??
      call.participants.find(({ user_id }) => user_id === (one.invited_by ?? call.host_id));
    if (!one.user_id || !caller || (!caller.user_id && !caller.guest_id) || caller.user_id === one.user_id) return [];
    if (mail.some(({ user_id }) => user_id === one.user_id)) return [];
    const from = { user_id: caller.user_id, name: caller.name };
    return [{ user_id: one.user_id, kind: 'missed_call' as const, from, call_id: call.id }];
  });
  await deliverToInbox(change, messages);
}
