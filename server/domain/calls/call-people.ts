/** How the people of a call are identified: the displayed caller, the hosts, and identities on the media server. */
import type { CallRow, ParticipantRow } from './calls.ts';
import { isIn } from './transition.ts';

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

/** The identity of a participant on the media server. */
export const identityOf = (one: Pick<ParticipantRow, 'user_id' | 'id'>): string => one.user_id ?? one.id;
