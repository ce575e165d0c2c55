import { presentUser } from '../../../domain/accounts/accounts.ts';
import { callMuted } from '../../../domain/calls/state/call-events.ts';
import type { CallRow, ParticipantRow } from '../../../domain/calls/state/calls.ts';
import { identitiesOf } from '../../../domain/calls/state/room-identities.ts';
import type { Services } from '../../../kernel/services.ts';

/** How many the media server is asked to mute at once. */
const at_once = 8;
/** After this time no further requests are sent, and the remaining participants are reported as not muted. */
const limit_ms = 5_000;

type Muted = Pick<ParticipantRow, 'id' | 'user_id' | 'leg'>;
type MediaServices = { media: Pick<Services['media'], 'mute'>; log: Pick<Services['log'], 'warn'> };

/**
 * Mutes participants of a call. Each of them is notified of who did it, without waiting for the media server: their devices
 * show it once they are muted.
 * @returns the identifiers of those whom the media server did not mute
 */
export async function mute(
  services: Services,
  call: CallRow,
  by: ParticipantRow,
  participants: ParticipantRow[],
): Promise<string[]> {
  const others = participants.flatMap((one) => (one === by ? [] : (one.user_id ?? one.guest_id ?? [])));
  if (by.user && others.length > 0)
    services.broadcast(callMuted, others, { join_code: call.join_code, by: presentUser(by.user, { services }) });
  return muteAtServer(services, call.id, participants);
}

/**
 * Mutes participants at the media server, whichever of them fail.
 * @returns the identifiers of those whom it did not mute
 */
export async function muteAtServer(
  { media, log }: MediaServices,
  room: string,
  participants: readonly Muted[],
  most_ms = limit_ms,
): Promise<string[]> {
  const began_ms = performance.now();
  const waiting = [...participants];
  const failed: string[] = [];
  const muteNext = async (): Promise<void> => {
    const one = waiting.shift();
    if (!one) return;
    try {
      if (performance.now() - began_ms > most_ms) throw new Error('the media server took too long');
      for (const identity of identitiesOf(one)) await media.mute(room, identity);
    } catch (error) {
      log.warn({ err: error }, 'failed to mute a participant');
      failed.push(one.id);
    }
    await muteNext();
  };
  await Promise.all(Array.from({ length: at_once }, muteNext));
  return failed;
}
