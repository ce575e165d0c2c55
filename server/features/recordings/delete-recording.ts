import { withdrawFiles } from '../../domain/files/files.ts';
import { recordingDeleted, selectListeners } from '../../domain/calls/recording/recordings.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { hideRecording, lockRecording, removeRecording } from './queries.ts';

export const deleteRecording = endpoint({
  id: 'deleteRecording',
  route: 'DELETE /recordings/{recording_id}',
  summary: 'Delete a recording',
  description: 'For everyone if you started it; otherwise only from your own list.',
  extension: true,
  path: object({ recording_id: idOf('rec') }),
  errors: ['recording_in_progress'],
  async run({ caller, path: { recording_id }, db, now, emit }) {
    const row = found(await lockRecording(db, recording_id, caller.user_id));
    if (row.started_by !== caller.user_id) {
      await hideRecording(db, recording_id, caller.user_id);
      emit(recordingDeleted, [`user:${caller.user_id}`], { id: recording_id });
      return;
    }
    if (row.state !== 'ready' && row.state !== 'failed')
      fail('recording_in_progress', { message: 'A recording can be deleted after it has ended.' });
    await withdrawFiles(db, recording_id, now);
    const people = await selectListeners(db, recording_id);
    await removeRecording(db, recording_id);
    emit(recordingDeleted, people, { id: recording_id });
  },
});
