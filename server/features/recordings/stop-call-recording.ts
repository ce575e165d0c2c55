import { updateCall } from '../../domain/calls/update-call.ts';
import { selectActiveCall } from '../../domain/calls/state/calls.ts';
import { stopRecording } from '../../domain/calls/recording/record-call.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { markProcessing, removeRecording } from './queries.ts';

export const stopCallRecording = endpoint({
  id: 'stopCallRecording',
  route: 'DELETE /calls/active/recording',
  summary: 'Stop recording your call',
  description: 'For the host and the person who started it.',
  extension: true,
  errors: ['not_found', 'forbidden'],
  async run({ caller, ...change }) {
    const { db, enqueue } = change;
    const active = found(await selectActiveCall(db, caller.user_id));
    await updateCall(change, active.id, async ({ call }) => {
      const { id, state, by } = found(call.recording ?? undefined);
      if (call.host_id !== caller.user_id && by?.id !== caller.user_id)
        fail('forbidden', { message: 'Only the host or the person who started the recording can stop it.' });
      if (state === 'announced') await removeRecording(db, id);
      else {
        await markProcessing(db, id);
        enqueue(stopRecording, { recording_id: id, call_id: call.id }, { key: `record-stop:${id}` });
      }
      call.recording = null;
      return true;
    });
  },
});
