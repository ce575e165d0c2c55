import { JoinCode, Call, participantOf, presentCall } from '../../domain/calls/state/calls.ts';
import { decideConsent } from '../../domain/calls/state/consent.ts';
import { isIn } from '../../domain/calls/state/transition.ts';
import { updateOpenCall } from '../../domain/calls/update-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';

export const setRecordingConsent = endpoint({
  id: 'setRecordingConsent',
  route: 'PUT /calls/{join_code}/recording/consent',
  gate: 'guest',
  summary: 'Agree to be recorded, or decline',
  description: 'Applies to the current recording. Recording of a participant who declines stops within a second.',
  throttle: 'call_update',
  extension: true,
  path: object({ join_code: JoinCode }),
  body: object({ agreed: Type.Boolean() }),
  reply: Call,
  errors: ['not_recording'],
  async run({ caller, path, body: { agreed }, ...change }) {
    const updated = await updateOpenCall(change, path.join_code, callerIdOf(caller), async ({ call }) => {
      const { recording } = call;
      const participant = participantOf(call, callerIdOf(caller));
      if (!participant || !isIn(participant)) fail('not_found');
      if (!recording) fail('not_recording');
      await decideConsent(change, { recording_id: recording.id, participant_id: participant.id, agreed });
      const consent = agreed ? 'agreed' : 'declined';
      const is_changed = participant.recording_consent !== consent;
      participant.recording_consent = consent;
      return is_changed;
    });
    return presentCall(updated, viewerOf({ caller, ...change }));
  },
});
