/** The people of a call, as it is told to others: who calls, and by which name the media server knows them. */
import type { CallRow, ParticipantRow } from './calls.ts';

/**
 * Who calls somebody by a call, in words: its host, or for the owner of a widget the guest who began it. Others whom the
 * owner calls in are called by the owner.
 */
export function callerNameOf(call: CallRow, callee_id: string | null): string {
  return (callee_id === call.host_id && guestOf(call)?.name) || call.host.display_name;
}

/** The guest of a widget who began a call; guests by link come uninvited. */
export function guestOf(call: CallRow): ParticipantRow | undefined {
  return call.participants.find(({ guest_id, invited }) => guest_id !== null && invited);
}

/** The name under which the media server knows a participant. */
export const identityOf = (one: Pick<ParticipantRow, 'user_id' | 'id'>): string => one.user_id ?? one.id;
