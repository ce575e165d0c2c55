import { Call, presentCall, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { updateCall } from '../../domain/calls/update-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object, oneOf } from '../../kernel/schema.ts';

export const setParticipantRole = endpoint({
  id: 'setParticipantRole',
  route: 'PUT /calls/active/participants/{participant_id}/role',
  summary: 'Make a participant a co-host, or a guest again',
  description:
    'For the host. A co-host must be in the call and have an account; they can mute, lower hands, remove guests, admit, and change who may join. When the host leaves, the first co-host becomes the host.',
  throttle: 'call_update',
  extension: true,
  path: object({ participant_id: idOf('part') }),
  body: object({ role: oneOf('co_host', 'guest') }),
  reply: Call,
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, body, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    const call = await updateCall(change, active.id, (update) => {
      if (update.call.host_id !== caller.user_id) fail('forbidden', { message: 'Only the host can choose co-hosts.' });
      const participant = update.call.participants.find(({ id }) => id === path.participant_id);
      if (!participant?.user_id || participant.state !== 'joined') fail('not_found');
      if (participant.user_id === caller.user_id) fail('forbidden', { message: 'The host cannot be a co-host.' });
      update.setRole(participant, body.role);
    });
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
