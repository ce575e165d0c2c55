/**
 * Stopping a recording before its call ends: on request, or because the person who started it may no longer be in the call; and
 * withholding it from others who may not.
 */
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import type { Change } from '../../kernel/services.ts';
import type { CallRow } from './state/calls.ts';

/** Stops a recording on the node that runs it. */
export const stopRecording = job<{ recording_id: string; call_id: string }>({
  name: 'recordings.stop',
  max_attempts: 10,
  lane: 'calls',
  run: ({ recording_id, call_id }, services) =>
    services.media.remove(call_id, services.recorder.identityOf(recording_id)),
});

/** Stops the recording of a call, which is locked; the caller notifies its people. What was recorded is kept. */
export async function endRecording({ db, enqueue }: Pick<Change, 'db' | 'enqueue'>, call: CallRow): Promise<void> {
  if (!call.recording) return;
  const { id, state } = call.recording;
  call.recording = null;
  if (state === 'announced') return void (await db.run(sql`delete from recordings where id = ${id}`));
  await db.run(sql`update recordings set state = 'processing' where id = ${id}`);
  enqueue(stopRecording, { recording_id: id, call_id: call.id }, { key: `record-stop:${id}` });
}

/**
 * Stops the recording of a call whose starter was removed from it: they would hear what is said after that.
 * @returns whether there was one
 */
export async function endRecordingOfRemoved(change: Change, call: CallRow): Promise<boolean> {
  const starter = call.recording?.by && call.participants.find(({ user_id }) => user_id === call.recording?.by?.id);
  if (!starter?.removed_at || call.state === 'ended') return false;
  await endRecording(change, call);
  return true;
}

/**
 * Withholds the running recording of a call from people who are removed from it, as if they had not been in it: they would hear
 * what is said after that. Not from the person who started it, which ends with them.
 */
export async function withholdRecording(
  { db }: Pick<Change, 'db'>,
  call_id: string,
  removed: Removed[],
): Promise<void> {
  const ids = removed.flatMap(({ user_id }) => user_id ?? []);
  if (ids.length === 0) return;
  await db.run(sql`
    update recording_listeners l set hidden = true from recordings r
    where r.id = l.recording_id and r.call_id = ${call_id} and r.state = 'recording'
      and l.user_id = any(${ids}::text[]) and l.user_id <> r.started_by`);
}

type Removed = { user_id: string | null };
