import { participantOf, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { isHosting } from '../../domain/calls/state/call-people.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { mute } from './rules/mute.ts';

export const muteParticipant = endpoint({
  id: 'muteParticipant',
  route: 'POST /calls/active/participants/{participant_id}/mute',
  summary: 'Mute a participant',
  description:
    'For the host and co-hosts. A muted participant can unmute themselves, and learns who muted them by `call.muted`.',
  extension: true,
  throttle: 'call_update',
  path: object({ participant_id: idOf('part') }),
  errors: ['not_found', 'forbidden', 'unavailable'],
  async prepare({ caller, path, services }) {
    const call = found(await selectActiveCall(services.db, caller.user_id));
    const participant = found(
      call.participants.find(({ id, state }) => id === path.participant_id && state === 'joined'),
    );
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can mute others.' });
    const failed = await mute(services, call, found(participantOf(call, caller.user_id)), [participant]);
    if (failed.length > 0) fail('unavailable', { cause: new Error('the media server did not mute them') });
  },
  async run() {
    // Muting changes nothing that is stored.
  },
});
