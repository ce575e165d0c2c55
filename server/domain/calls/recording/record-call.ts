/** The course of a recording: announced before it starts, started and stopped on one node, and processed when it ends. */
import type { Recorded } from '../../../engines/ports.ts';
import { findChapters } from '../../../kernel/media/chapters.ts';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';
import { emitCall } from '../update-call.ts';
import { copyConsents, selectWithheld } from '../state/consent.ts';
import { selectCall } from '../state/calls.ts';
import { attachFiles } from '../../files/files.ts';
import { discardFiles, makeFiles } from './recording-files.ts';
import { endIfFull, expectRecorded, expectRecording, forgetFiles, isFullWithRecordings } from './recording-size.ts';
import { stopRecording } from '../stop-recording.ts';
import { storeGeneratedFile } from '../../files/uploads.ts';
import { recordingUpdated, type RecordingRow, selectRecordings, selectListeners } from './recordings.ts';

/** How long an upcoming recording is announced, in seconds. */
const notice_s = 3;
/** How long starting is retried while the room does not exist yet, in seconds. */
const start_retry_s = 60;
const retry_s = 2;
/** A recording interrupted sooner would be interrupted again, so that it is not continued, in milliseconds. */
const worth_resuming_ms = 5000;

/** Announces a recording of a call; it starts after the notice. */
export async function announceRecording(
  { db, id, now, enqueue }: Pick<Change, 'db' | 'id' | 'now' | 'enqueue'>,
  call_id: string,
  user_id: string,
): Promise<string> {
  const recording_id = id('rec');
  await db.run(sql`
    with made as (
      insert into recordings (id, call_id, started_by, state, announced_at)
      values (${recording_id}, ${call_id}, ${user_id}, 'announced', ${now}))
    insert into recording_listeners (user_id, recording_id) values (${user_id}, ${recording_id})`);
  enqueue(startRecording, { recording_id }, { run_at: after(now, notice_s), key: `record:${recording_id}` });
  return recording_id;
}

/** Starts a recording on the node that runs this job, which owns it until its end. */
const startRecording = job<{ recording_id: string }>({
  name: 'recordings.start',
  max_attempts: 3,
  lane: 'calls',
  async run({ recording_id }, services) {
    const [row] = await selectRecordings(services.db, sql`r.id = ${recording_id} and r.state = 'announced'`);
    if (!row) return;
    expectRecording(services, row);
    const started = await services.recorder
      .start({
        room: row.call_id,
        recording_id,
        withheld: () => selectWithheld(services.db, recording_id),
        isFull: (size) => endIfFull(services, row, size, (change) => emitCallById(change, row.call_id)),
      })
      .catch((error: unknown) => services.log.info({ err: error, recording_id }, 'a recording could not start yet'));
    if (started) void started.ended.then((recorded) => processOrLog(services, recorded));
    else forgetFiles(services, recording_id);
    await inChange(services, async (change) => {
      const is_late = after(row.announced_at, start_retry_s) <= change.now;
      if (!started && !is_late) {
        change.enqueue(
          startRecording,
          { recording_id },
          { run_at: after(change.now, retry_s), key: `record:${recording_id}` },
        );
        return;
      }
      await change.db.run(sql`
        update recordings set state = ${started ? 'recording' : 'failed'}, started_at = ${started ? change.now : null}::timestamptz
        where id = ${recording_id} and state = 'announced'`);
      if (started) await addListeners(change, recording_id);
      await emitCallById(change, row.call_id);
    });
    // Deleted while it was starting: nobody is notified, and nothing is stored.
    const [wanted] = await selectRecordings(services.db, sql`r.id = ${recording_id}`);
    if (started && !wanted) await started.stop();
  },
});

async function emitCallById(change: Change, call_id: string): Promise<void> {
  const call = await selectCall(change.db, sql`c.id = ${call_id}`);
  if (call && call.state !== 'ended') await emitCall(change, call, []);
}

/**
 * Processes a finished recording into one video if ffmpeg is available, else into one mixed audio file, or into
 * separate audio tracks if mixing fails. An interrupted run is repeated when the process restarts, since its files are
 * kept until then.
 */
async function processRecording(services: Services, recorded: Recorded): Promise<void> {
  const { recording_id } = recorded;
  const [row] = await selectRecordings(services.db, sql`r.id = ${recording_id} and r.state <> 'ready'`);
  if (row) {
    expectRecorded(services, row, recorded);
    const is_ongoing = await recordEnd(services, row, recorded);
    const chapters = findChapters(recorded.tracks);
    const made = await makeFiles(services, row.started_by, recorded, chapters);
    const is_stored = await inChange(services, async (change) => {
      // Deleted with the account that started it while its files were made: they would never be deleted.
      if (!(await change.db.maybe(sql`select 1 from recordings where id = ${recording_id} for update`))) return false;
      for (const { file } of made) await storeGeneratedFile(change, row.started_by, file);
      const subject = { type: 'recording' as const, id: recording_id };
      await attachFiles(change, subject, { owner_id: row.started_by, file_ids: made.map(({ file }) => file.id) });
      const state = made.length > 0 ? ('ready' as const) : ('failed' as const);
      await change.db.run(sql`
        update recordings set state = ${state}, chapters = ${JSON.stringify(chapters)}::jsonb,
          tracks = ${JSON.stringify(made.map(({ name, identity, starts_ms }) => ({ name, identity, starts_ms })))}::jsonb where id = ${recording_id}`);
      await emitToListeners(change, { ...row, state });
      // The recording process died but the call continues: another recording replaces it, as announced.
      if (is_ongoing)
        await copyConsents(change, recording_id, await announceRecording(change, row.call_id, row.started_by));
      return true;
    });
    if (!is_stored) await discardFiles(services, made);
  }
  await services.recorder.discard(recording_id);
}

/** Processes a finished recording; a failure is logged, and the next process tries again. */
async function processOrLog(services: Services, recorded: Recorded): Promise<void> {
  const { recording_id } = recorded;
  await processRecording(services, recorded)
    .catch((error: unknown) => services.log.error({ err: error, recording_id }, 'failed to store a recording'))
    .finally(() => forgetFiles(services, recording_id));
}

/** Processes what an earlier process of this machine has left unfinished, each account in its turn. */
export async function recoverRecordings(services: Services): Promise<void> {
  const left = await services.recorder.recover();
  // All at once, since they wait for their turns in `makeFiles`; one that fails does not keep the others from theirs.
  await Promise.all(left.map((recorded) => processOrLog(services, recorded)));
}

/**
 * Records that a recording has ended.
 * @returns whether it was interrupted, that is, not requested while the call continues
 */
async function recordEnd(services: Services, row: RecordingRow, recorded: Recorded): Promise<boolean> {
  return inChange(services, async (change) => {
    const call = await selectCall(change.db, sql`c.id = ${row.call_id}`);
    await change.db.run(sql`
      update recordings set state = 'processing', started_at = coalesce(started_at, ${recorded.started_at}),
        duration_ms = ${recorded.duration_ms}, ended_at = ${after(recorded.started_at, recorded.duration_ms / 1000)}
      where id = ${row.id}`);
    await addListeners(change, row.id);
    if (call) await emitCallById(change, call.id);
    const broke_off = row.state === 'recording' && recorded.duration_ms >= worth_resuming_ms;
    const may_continue = broke_off && call !== undefined && call.state !== 'ended';
    return may_continue && !(await isFullWithRecordings(services, change.db, row.started_by));
  });
}

/**
 * Adds everybody who is in the call of a recording, or was while it ran; later participants are added by a database
 * trigger. Somebody still joining may have left before it started.
 */
async function addListeners({ db }: Change, recording_id: string): Promise<void> {
  await db.run(sql`
    insert into recording_listeners (user_id, recording_id)
    select v.user_id, r.id from recordings r join call_participants v on v.call_id = r.call_id
    where r.id = ${recording_id} and v.user_id is not null and v.joined_at <= coalesce(r.ended_at, 'infinity')
      and (v.state = 'joined' or v.left_at >= r.started_at)
    on conflict do nothing`);
}

/** Notifies everybody who may play a recording of its state. */
async function emitToListeners(change: Change, row: Pick<RecordingRow, 'id' | 'call_id' | 'state'>): Promise<void> {
  const topics = await selectListeners(change.db, row.id);
  change.emit(recordingUpdated, topics, { id: row.id, conference_id: row.call_id, state: row.state });
}

/** The jobs of recordings. */
export const recording_jobs = [startRecording, stopRecording];
