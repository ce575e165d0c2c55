import { identitiesOf } from '../../../domain/calls/state/room-identities.ts';
import type { CallRow } from '../../../domain/calls/state/calls.ts';
import type { Services } from '../../../kernel/services.ts';

/** Mutes participants of a call at the media server, one after the other, which no request waits for. */
export async function muteAtServer(
  services: Services,
  { id }: Pick<CallRow, 'id'>,
  participants: CallRow['participants'],
): Promise<void> {
  for (const identity of participants.flatMap(identitiesOf))
    await services.media.mute(id, identity).catch((error: unknown) => {
      services.log.warn({ err: error }, 'failed to mute a participant');
    });
}
