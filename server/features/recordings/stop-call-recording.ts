import { updateCall } from '../../domain/calls/update-call.ts';
import { selectActiveCall } from '../../domain/calls/state/calls.ts';
import { endRecording } from '../../domain/calls/stop-recording.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';

export const stopCallRecording = endpoint({
  id: 'stopCallRecording',
  route: 'DELETE /calls/active/recording',
  summary: 'Stop recording your call',
  description: 'For the host and the person who started it.',
  extension: true,
  errors: ['not_found', 'forbidden'],
  async run({ caller, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    await updateCall(change, active.id, async ({ call }) => {
      const { by } = found(call.recording ?? undefined);
      if (call.host_id !== caller.user_id && by?.id !== caller.user_id)
        fail('forbidden', { message: 'Only the host or the person who started the recording can stop it.' });
      await endRecording(change, call);
      return true;
    });
  },
});
