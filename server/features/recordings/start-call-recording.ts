import { updateCall } from '../../domain/calls/update-call.ts';
import { Call, participantOf, presentCall, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { announceRecording } from '../../domain/calls/recording/record-call.ts';
import { isStorageFull, refuseFull } from '../../domain/files/uploads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { selectRecordedCall } from './queries.ts';

export const startCallRecording = endpoint({
  id: 'startCallRecording',
  route: 'POST /calls/active/recording',
  summary: 'Start recording your call',
  description: 'All participants are notified before recording starts.',
  throttle: 'call_update',
  extension: true,
  reply: Call,
  status: [201],
  errors: ['not_found', 'forbidden', 'recording_in_progress', 'call_not_live', 'plan_limit_reached'],
  async run({ caller, ...change }) {
    const { db } = change;
    const active = found(await selectActiveCall(db, caller.user_id));
    if (await isStorageFull(db, caller.user_id)) refuseFull();
    await updateCall(change, active.id, async (update) => {
      const { call } = update;
      if (call.host_id !== caller.user_id) fail('forbidden', { message: 'Only the host can record this call.' });
      if (call.recording) fail('recording_in_progress', { message: 'This call is already being recorded.' });
      if (participantOf(call, caller.user_id)?.state !== 'joined')
        fail('call_not_live', { message: 'Recording can start once the call is connected.' });
      const id = await announceRecording(change, call.id, caller.user_id);
      // Included in the event at the end of this update.
      call.recording = { id, state: 'announced', started_at: change.now.toISOString(), by: call.host };
      for (const one of call.participants)
        if (one.asks_consent && one.user_id !== caller.user_id) one.recording_consent = 'asked';
      return true;
    });
    const call = found(await selectRecordedCall(db, active.id));
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
