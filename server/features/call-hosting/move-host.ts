import { Call, presentCall, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { updateCall } from '../../domain/calls/update-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const moveHost = endpoint({
  id: 'moveHost',
  route: 'PUT /calls/active/host',
  summary: 'Make someone else the host',
  description: 'For the host, who stays in the call. The new host must be in the call and have an account.',
  throttle: 'call_update',
  extension: true,
  body: object({ participant_id: idOf('part') }),
  reply: Call,
  errors: ['not_found', 'forbidden'],
  async run({ caller, body, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    const call = await updateCall(change, active.id, (update) => {
      if (update.call.host_id !== caller.user_id)
        fail('forbidden', { message: 'Only the host can choose another host.' });
      const participant = update.call.participants.find(({ id }) => id === body.participant_id);
      if (!participant?.user_id || participant.state !== 'joined') fail('not_found');
      update.makeHost(participant);
    });
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
