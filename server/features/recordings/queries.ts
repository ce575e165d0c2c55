import { type RecordingRow, selectRecordings } from '../../domain/calls/recording/recordings.ts';
import { type CallRow, selectCall } from '../../domain/calls/state/calls.ts';
import { isListenerOf, mayPlayRecording } from '../../domain/visibility/recordings.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** The recordings that a person may play, of one call or of all, newest first; the page's limit is that of the inner list. */
export function selectPlayable(
  db: Queryable,
  user_id: string,
  { conference_id, ...page }: Page & { conference_id?: string },
): Promise<RecordingRow[]> {
  const of_call = conference_id === undefined ? sql`` : sql`and r.call_id = ${conference_id}`;
  return selectRecordings(
    db,
    sql`r.id in (
      select l.recording_id from recording_listeners l join recordings r on r.id = l.recording_id
      where ${isListenerOf(user_id)} ${of_call} ${pageOf(page, 'l.recording_id')})
      order by r.id desc`,
  );
}

/** Locks a recording that a person may play until the end of the transaction. */
export function lockRecording(
  db: Queryable,
  id: string,
  user_id: string,
): Promise<{ started_by: string; state: string; call_id: string } | undefined> {
  return db.maybe(sql`
    select r.started_by, r.state, r.call_id from recordings r
    where r.id = ${id} and ${mayPlayRecording(user_id)} for update`);
}

/** Removes a recording from the list of one listener. */
export async function hideRecording(db: Queryable, id: string, user_id: string): Promise<void> {
  await db.run(sql`
    update recording_listeners set hidden = true where user_id = ${user_id} and recording_id = ${id}`);
}

/** Deletes a recording; its files are deleted separately. */
export async function removeRecording(db: Queryable, id: string): Promise<void> {
  await db.run(sql`delete from recordings where id = ${id}`);
}

/** A call whose recording was just announced. */
export const selectRecordedCall = (db: Queryable, call_id: string): Promise<CallRow | undefined> =>
  selectCall(db, sql`c.id = ${call_id}`);
