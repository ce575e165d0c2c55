/** Recordings of calls: announced before they start, processed when they end, and visible to their participants. */
import type { Recorded } from '../../../engines/ports.ts';
import { findChapters, type SpeakerChapter } from '../../../kernel/media/chapters.ts';
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { event } from '../../../kernel/event.ts';
import { job } from '../../../kernel/job.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../../kernel/schema.ts';
import { change as inChange, type Change, type Services } from '../../../kernel/services.ts';
import { after, wireTimeOrNull } from '../../../kernel/time.ts';
import { markDefaultName, NameIsDefault } from '../../accounts/default-names.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../../accounts/accounts.ts';
import { emitCall } from '../update-call.ts';
import { copyConsents, legOfParticipant, selectWithheld } from '../state/consent.ts';
import { identitiesOf } from '../state/room-identities.ts';
import { selectCall } from '../state/calls.ts';
import { File, filesOf, presentFile, attachFiles, type FileRow } from '../../files/files.ts';
import { makeFiles, type RecordedPart } from './recording-files.ts';
import { endIfFull, expectRecorded, expectRecording, forgetFiles, isFullWithRecordings } from './recording-size.ts';
import { storeGeneratedFile } from '../../files/uploads.ts';
import type { Viewer } from '../../visibility/viewer.ts';
import { default_limits } from '../../../kernel/load/limits.ts';

/** How long an upcoming recording is announced, in seconds. */
const notice_s = 3;
/** How long starting is retried while the room does not exist yet, in seconds. */
const start_retry_s = 60;
const retry_s = 2;
/** A recording interrupted sooner would be interrupted again, so that it is not continued, in milliseconds. */
const worth_resuming_ms = 5000;

export const recording_states = ['announced', 'recording', 'processing', 'ready', 'failed'] as const;

export const Recording = component(
  'Recording',
  object({
    id: idOf('rec'),
    conference_id: idOf('conf'),
    by: nullable(PublicUser),
    state: oneOf(...recording_states),
    started_at: nullable(moment),
    ended_at: nullable(moment),
    duration_s: nullable(Type.Number({ minimum: 0 })),
    chapters: Type.Array(
      object({ at_s: Type.Number({ minimum: 0 }), name: Type.String(), name_is_default: NameIsDefault }),
      {
        maxItems: default_limits.recording_chapters,
      },
    ),
    tracks: Type.Array(
      object({
        name: nullable(
          Type.String({
            description:
              'The speaker; null for the mix of all participants, which is a video if anyone had their camera on.',
          }),
        ),
        name_is_default: NameIsDefault,
        starts_at_s: Type.Number({ minimum: 0 }),
        file: File,
      }),
      { maxItems: default_limits.recording_tracks },
    ),
  }),
);

export const recordingUpdated = event(
  'recording.updated',
  'A recording you may access is ready or has failed.',
  object({ id: idOf('rec'), conference_id: idOf('conf'), state: oneOf(...recording_states) }),
);
export const recordingDeleted = event('recording.deleted', 'A recording was deleted.', object({ id: idOf('rec') }));

export type RecordingRow = {
  id: string;
  call_id: string;
  started_by: string;
  by: PublicUserRow | null;
  state: (typeof recording_states)[number];
  announced_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  duration_ms: number | null;
  chapters: SpeakerChapter[];
  tracks: RecordedPart[];
  media: FileRow[];
  /** The participants of its call. */
  participants:
    | { id: string; user_id: string | null; leg: object | null; name: string; name_is_default: boolean }[]
    | null;
};

/** Recordings `r` with all columns that are shown. */
export async function selectRecordings(db: Queryable, which: Sql): Promise<RecordingRow[]> {
  return db.many<RecordingRow>(sql`
    select r.*, case when u.deleted_at is null then ${publicUserJson('u')} end as by, ${filesOf('r')} as media,
      (select json_agg(json_build_object('id', p.id, 'user_id', p.user_id, 'leg', ${legOfParticipant}, 'name', p.name, 'name_is_default', p.name_is_default))
        from call_participants p where p.call_id = r.call_id) as participants
    from (select *, jsonb_array_length(tracks) as media_count from recordings) r join users u on u.id = r.started_by where ${which}`);
}

/**
 * A recording as presented to a person who may play it. People have the name that the participant of the call has,
 * which is removed with a deleted account.
 */
export function presentRecording(row: RecordingRow, viewer: Viewer): Static<typeof Recording> {
  const by_identity = new Map(row.participants?.flatMap((one) => identitiesOf(one).map((identity) => [identity, one])));
  const nameOf = <Name extends string | null>(name: Name, identity: string | null) => {
    const participant = by_identity.get(identity ?? '');
    return participant ? { name: participant.name, ...markDefaultName(participant) } : { name };
  };
  return {
    id: row.id,
    conference_id: row.call_id,
    by: row.by && presentUser(row.by, viewer),
    state: row.state,
    started_at: wireTimeOrNull(row.started_at),
    ended_at: wireTimeOrNull(row.ended_at),
    duration_s: row.duration_ms === null ? null : row.duration_ms / 1000,
    chapters: row.chapters.map(({ from_ms, title, identity }) => ({
      at_s: from_ms / 1000,
      ...nameOf(title, identity),
    })),
    tracks: row.media.map((file, at) => ({
      ...nameOf(row.tracks[at]?.name ?? null, row.tracks[at]?.identity ?? null),
      starts_at_s: (row.tracks[at]?.starts_ms ?? 0) / 1000,
      file: presentFile(file, viewer),
    })),
  };
}

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

/** Stops a recording on the node that runs it. */
export const stopRecording = job<{ recording_id: string; call_id: string }>({
  name: 'recordings.stop',
  max_attempts: 10,
  lane: 'calls',
  run: ({ recording_id, call_id }, services) =>
    services.media.remove(call_id, services.recorder.identityOf(recording_id)),
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
    await inChange(services, async (change) => {
      for (const { file } of made) await storeGeneratedFile(change, row.started_by, file);
      const subject = { type: 'recording' as const, id: recording_id };
      await attachFiles(
        change.db,
        row.started_by,
        subject,
        made.map(({ file }) => file.id),
        change.now,
      );
      const state = made.length > 0 ? ('ready' as const) : ('failed' as const);
      await change.db.run(sql`
        update recordings set state = ${state}, chapters = ${JSON.stringify(chapters)}::jsonb,
          tracks = ${JSON.stringify(made.map(({ name, identity, starts_ms }) => ({ name, identity, starts_ms })))}::jsonb where id = ${recording_id}`);
      await emitToListeners(change, { ...row, state });
      // The recording process died but the call continues: another recording replaces it, as announced.
      if (is_ongoing)
        await copyConsents(change, recording_id, await announceRecording(change, row.call_id, row.started_by));
    });
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

/** The topics of those who may play a recording. */
export async function selectListeners(db: Queryable, recording_id: string): Promise<`user:${string}`[]> {
  const rows = await db.many<{ user_id: string }>(sql`
    select user_id from recording_listeners where recording_id = ${recording_id} and not hidden`);
  return rows.map(({ user_id }) => `user:${user_id}` as const);
}

/** Notifies everybody who may play a recording of its state. */
async function emitToListeners(change: Change, row: Pick<RecordingRow, 'id' | 'call_id' | 'state'>): Promise<void> {
  const topics = await selectListeners(change.db, row.id);
  change.emit(recordingUpdated, topics, { id: row.id, conference_id: row.call_id, state: row.state });
}

export const recording_jobs = [startRecording, stopRecording];
