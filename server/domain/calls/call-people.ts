/** The people of a call, as it is told to others: who calls, and by which name the media server knows them. */
import type { CallRow, ParticipantRow } from './calls.ts';
import { isIn } from './transition.ts';

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

/** Whether somebody hosts a call: it is theirs, or they are in it as a co-host. */
export function isHosting(call: Pick<CallRow, 'host_id' | 'participants'>, user_id: string): boolean {
  return (
    call.host_id === user_id ||
    call.participants.some((one) => one.user_id === user_id && one.role === 'co_host' && isIn(one))
  );
}

/** Who hosts a call, its co-hosts in it with it. */
export const hostsOf = ({ host_id, participants }: Pick<CallRow, 'host_id' | 'participants'>): string[] => [
  host_id,
  ...participants.flatMap((one) => (one.role === 'co_host' && isIn(one) && one.user_id ? one.user_id : [])),
];

/** The name under which the media server knows a participant. */
export const identityOf = (one: Pick<ParticipantRow, 'user_id' | 'id'>): string => one.user_id ?? one.id;
