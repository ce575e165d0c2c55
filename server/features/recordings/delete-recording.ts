import { withdrawFiles } from '../../domain/files/files.ts';
import { recordingDeleted, selectListeners } from '../../domain/calls/recording/recordings.ts';
import { mayPlayRecording } from '../../domain/visibility/recordings.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteRecording = endpoint({
  id: 'deleteRecording',
  route: 'DELETE /recordings/{recording_id}',
  summary: 'Delete a recording',
  description: 'For everyone if you started it; otherwise only from your own list.',
  extension: true,
  path: object({ recording_id: idOf('rec') }),
  errors: ['recording_in_progress'],
  async run({ caller, path: { recording_id }, db, now, emit }) {
    const row = found(
      await db.maybe<{ started_by: string; state: string; call_id: string }>(sql`
        select r.started_by, r.state, r.call_id from recordings r
        where r.id = ${recording_id} and ${mayPlayRecording(caller.user_id)} for update`),
    );
    if (row.started_by !== caller.user_id) {
      await db.run(sql`
        update recording_listeners set hidden = true where user_id = ${caller.user_id} and recording_id = ${recording_id}`);
      emit(recordingDeleted, [`user:${caller.user_id}`], { id: recording_id });
      return;
    }
    if (row.state !== 'ready' && row.state !== 'failed')
      fail('recording_in_progress', { message: 'A recording can be deleted after it has ended.' });
    await withdrawFiles(db, recording_id, now);
    const people = await selectListeners(db, recording_id);
    await db.run(sql`delete from recordings where id = ${recording_id}`);
    emit(recordingDeleted, people, { id: recording_id });
  },
});
