import { selectActiveCall } from '../../domain/calls/state/calls.ts';
import { isHosting } from '../../domain/calls/state/call-people.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { muteAtServer } from './rules/mute.ts';

export const muteParticipant = endpoint({
  id: 'muteParticipant',
  route: 'POST /calls/active/participants/{participant_id}/mute',
  summary: 'Mute a participant',
  description: 'For the host and co-hosts. A muted participant can unmute themselves.',
  extension: true,
  path: object({ participant_id: idOf('part') }),
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, services, db, afterCommit }) {
    const call = found(await selectActiveCall(db, caller.user_id));
    const participant = found(
      call.participants.find(({ id, state }) => id === path.participant_id && state === 'joined'),
    );
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can mute others.' });
    afterCommit(() => void muteAtServer(services, call, [participant]));
  },
});
