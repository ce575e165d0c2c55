/** Recordings of calls: what is stored of one, who may play it, and how they see it. */
import type { SpeakerChapter } from '../../../kernel/media/chapters.ts';
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { event } from '../../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../../kernel/schema.ts';
import { wireTimeOrNull } from '../../../kernel/time.ts';
import { markDefaultName, NameIsDefault } from '../../accounts/default-names.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../../accounts/accounts.ts';
import { legOfParticipant } from '../state/consent.ts';
import { identitiesOf } from '../state/room-identities.ts';
import { File, filesOf, presentFile, type FileRow } from '../../files/files.ts';
import type { RecordedPart } from './recording-files.ts';
import { isListenerOf } from '../../visibility/recordings.ts';
import type { Viewer } from '../../visibility/viewer.ts';
import { default_limits } from '../../../kernel/load/limits.ts';

/** The states of a recording. */
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

/** The columns of a recording. */
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

/** The topics of those who may play a recording. */
export async function selectListeners(db: Queryable, recording_id: string): Promise<`user:${string}`[]> {
  const rows = await db.many<{ user_id: string }>(sql`
    select l.user_id from recording_listeners l join recordings r on r.id = l.recording_id
    where r.id = ${recording_id} and ${isListenerOf(sql`l.user_id`)}`);
  return rows.map(({ user_id }) => `user:${user_id}` as const);
}
