/** Files: uploads, the things they are attached to, and the signed addresses for streaming them. */
import { raw, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { found, invalid } from '../../kernel/errors.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { mayOpenFile } from '../visibility/files.ts';
import type { Viewer } from '../visibility/viewer.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** How files are presented. */
export const file_kinds = ['image', 'audio', 'video', 'other'] as const;
const variant_names = ['small', 'medium', 'large', 'poster'] as const;

/** How long an address is valid, in seconds. */
const stream_term_s = 600;
/** Addresses created within this time are identical, so that browsers can cache them, in seconds. */
const stream_quantum_s = 60;

export const File = component(
  'File',
  object({
    id: idOf('file'),
    kind: oneOf(...file_kinds),
    content_type: Type.String(),
    name: optional(Type.String({ description: 'The file name of a document (`other`). An extension.' })),
    size_bytes: Type.Integer({ minimum: 0 }),
    width: optional(Type.Integer()),
    height: optional(Type.Integer()),
    duration_s: optional(Type.Number()),
    waveform: optional(
      Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { maxItems: default_limits.waveform_points }),
    ),
    blurhash: optional(Type.String()),
    transcribable: optional(
      Type.Boolean({ description: '`createTranscript` can transcribe it. Only present when true. An extension.' }),
    ),
    poster_url: nullable(Type.String()),
    variants: Type.Array(
      object({ name: oneOf(...variant_names), width: Type.Integer(), height: Type.Integer(), url: Type.String() }),
      { maxItems: variant_names.length },
    ),
    stream_url: Type.String({ description: 'Signed for the viewer; needs no authorization header.' }),
    stream_expires_at: moment,
    created_at: moment,
  }),
);

/** A smaller size of a picture, or the poster of a video; sizes in pixels. */
export type Variant = {
  name: (typeof variant_names)[number];
  width: number;
  height: number;
  size_bytes: number;
  content_type: string;
};

/** The columns of a file. */
export type FileRow = {
  id: string;
  owner_id: string;
  kind: (typeof file_kinds)[number];
  content_type: string;
  name: string | null;
  main_bytes: number;
  width: number | null;
  height: number | null;
  duration_s: number | null;
  waveform: number[] | null;
  blurhash: string | null;
  variants: Variant[];
  created_at: string | Date;
};

/** A file `fi` as one JSON value, for joins. */
export const fileJson = sql`json_build_object(
  'id', fi.id, 'owner_id', fi.owner_id, 'kind', fi.kind, 'content_type', fi.content_type, 'name', fi.name, 'main_bytes', fi.main_bytes,
  'width', fi.width, 'height', fi.height, 'duration_s', fi.duration_s, 'waveform', fi.waveform, 'blurhash', fi.blurhash,
  'variants', fi.variants, 'created_at', fi.created_at)`;

/** The files attached to a thing, in order, as one JSON value. `alias` is its table, with `id` and `media_count`. */
export const filesOf = (alias: 't' | 's' | 'r' | 'm'): Sql => sql`
  case when ${raw(alias)}.media_count = 0 then '[]'::json else ${usedFiles(alias)} end`;

const usedFiles = (alias: 't' | 's' | 'r' | 'm'): Sql => sql`(
  select coalesce(json_agg(${fileJson} order by fu.position), '[]'::json)
  from file_uses fu join files fi on fi.id = fu.file_id where fu.subject_id = ${raw(alias)}.id)`;

/** The files of message `m` of a call, a group or a widget, most of which have at most one, as a JSON array. */
export const chatFilesJson = sql`
  case when m.is_album then ${usedFiles('m')} when m.file_id is null then '[]'::json
    else (select json_build_array(${fileJson}) from files fi where fi.id = m.file_id) end`;

/** A file that a viewer may open. @throws ApiError `not_found` */
export async function requireFile(db: Queryable, id: string, viewer_id: string): Promise<FileRow> {
  const row = await db.maybe<{ file: FileRow }>(
    sql`select ${fileJson} as file from files fi where fi.id = ${id} and ${mayOpenFile(viewer_id)}`,
  );
  return found(row).file;
}

/** Whether a speech engine may transcribe a file: audio or video that is short enough. */
export const isTranscribable = ({ kind, duration_s }: Pick<FileRow, 'kind' | 'duration_s'>): boolean =>
  (kind === 'audio' || kind === 'video') && (duration_s ?? 0) <= default_limits.transcript_s;

/** A file as a viewer sees it, with addresses that are valid for them for ten minutes. */
export function presentFile(row: FileRow, viewer: Viewer): Static<typeof File> {
  const expires_at = streamExpiry(viewer.now);
  const address = (variant: string) => streamAddress(viewer, row.id, variant, expires_at);
  const poster = row.variants.find(({ name }) => name === 'poster');
  return {
    id: row.id,
    kind: row.kind,
    content_type: row.content_type,
    ...(row.name === null ? {} : { name: row.name }),
    size_bytes: Number(row.main_bytes),
    ...(row.width === null ? {} : { width: row.width }),
    ...(row.height === null ? {} : { height: row.height }),
    ...(row.duration_s === null ? {} : { duration_s: row.duration_s }),
    ...(row.waveform === null ? {} : { waveform: row.waveform }),
    ...(row.blurhash === null ? {} : { blurhash: row.blurhash }),
    ...(isTranscribable(row) && !viewer.services.speech.is_absent ? { transcribable: true } : {}),
    poster_url: poster ? address('poster') : null,
    variants: row.variants.map(({ name, width, height }) => ({ name, width, height, url: address(name) })),
    stream_url: address('main'),
    stream_expires_at: wireTime(expires_at),
    created_at: wireTime(new Date(row.created_at)),
  };
}

/** The expiry of an address that is created now. */
function streamExpiry(now: Date): Date {
  const quantum_ms = stream_quantum_s * 1000;
  return after(new Date(Math.floor(now.getTime() / quantum_ms) * quantum_ms), stream_term_s);
}

/** The address of a file or of a variant of it, for one viewer in their session, with an expiry. */
function streamAddress(viewer: Viewer, file_id: string, variant: string, expires_at: Date): string {
  const { id, session_id, services } = viewer;
  const grant = [Math.floor(expires_at.getTime() / 1000), variant, id, ...(session_id ? [session_id] : [])].join('.');
  const token = `${grant}.${services.secrets.sign('stream', `${file_id}.${grant}`)}`;
  return `${services.public_url}/v1/files/${file_id}/stream?token=${token}`;
}

export type StreamGrant = {
  viewer_id: string;
  variant: string;
  /** The session, or widget or call of a guest, that it is valid in; undefined for an address of an event. */
  session_id?: string | undefined;
};

/** Verifies the token of a stream address; undefined when it is forged, altered, expired or of another file. */
export function readStreamToken(
  services: Services,
  file_id: string,
  token: string,
  now: Date,
): StreamGrant | undefined {
  const [, grant = '', signature = ''] = /^(\d{1,12}\.\w+\.\w*(?:\.\w+)?)\.([\w-]+)$/.exec(token) ?? [];
  if (!services.secrets.verify('stream', `${file_id}.${grant}`, signature)) return undefined;
  const [expires_s = '0', variant = '', viewer_id = '', session_id] = grant.split('.');
  return Number(expires_s) * 1000 > now.getTime() ? { viewer_id, variant, session_id } : undefined;
}

/** The kinds of things that files are attached to. */
export const file_subjects = [
  'status',
  'tag',
  'group',
  'call_message',
  'chat_message',
  'dm_message',
  'inbox_message',
  'recording',
] as const;
/** A thing that files are attached to. */
export type FileSubject = { type: (typeof file_subjects)[number]; id: string };

/**
 * Attaches files of a user to a thing, in the given order, after `place` existing ones. Others' files are reported like
 * unknown ones.
 * @throws ApiError `validation_failed` that names `media.N`
 */
export async function attachFiles(
  { db, now }: Pick<Change, 'db' | 'now'>,
  subject: FileSubject,
  { owner_id, file_ids, place = 0 }: { owner_id: string; file_ids: string[]; place?: number },
): Promise<void> {
  if (file_ids.length === 0) return;
  const rows = await db.many<{ id: string }>(sql`
    with mine as (
      update files set unused_since = null where id = any(${file_ids}::text[]) and owner_id = ${owner_id} returning id)
    insert into file_uses (file_id, subject_type, subject_id, position, created_at)
    select mine.id, ${subject.type}, ${subject.id},
           ${place}::int + array_position(${file_ids}::text[], mine.id::text), ${now}::timestamptz
    from mine on conflict (subject_id, file_id) do nothing returning file_id as id`);
  const known = new Set(rows.map(({ id }) => id));
  const at = file_ids.findIndex((id, index) => !known.has(id) || file_ids.indexOf(id) !== index);
  if (at >= 0) invalid({ [`media.${at}`]: 'must be your own files, each listed once' });
}

/**
 * Attaches others' files to another thing, in the given order: everybody who may see the thing may open them. The
 * caller has checked that its author may open them.
 */
export async function shareFiles(
  { db, now }: Pick<Change, 'db' | 'now'>,
  subject: FileSubject,
  file_ids: string[],
): Promise<void> {
  if (file_ids.length === 0) return;
  await db.run(sql`
    with shared as (
      update files set unused_since = null where id = any(${file_ids}::text[]) returning id)
    insert into file_uses (file_id, subject_type, subject_id, position, created_at)
    select shared.id, ${subject.type}, ${subject.id}, array_position(${file_ids}::text[], shared.id::text), ${now}::timestamptz
    from shared on conflict (subject_id, file_id) do nothing`);
}

/**
 * Detaches the files of things, or one file; files that are no longer attached to anything are deleted a day later. A
 * separate statement locks the files first, so that the second of two concurrent calls sees that it detaches the last
 * use.
 */
export async function detachFiles(db: Queryable, subject_ids: string[], now: Date, file_id?: string): Promise<void> {
  const which = sql`subject_id = any(${subject_ids}::text[]) and (${file_id ?? null}::text is null or file_id = ${file_id ?? null})`;
  await db.run(sql`
    select 1 from files where id in (select file_id from file_uses where ${which}) order by id for update`);
  await db.run(sql`
    with gone as (delete from file_uses where ${which} returning file_id)
    update files set unused_since = ${now} from gone
    where files.id = gone.file_id and not exists (
      select 1 from file_uses o where o.file_id = files.id and o.subject_id <> all(${subject_ids}::text[]))`);
}

/**
 * Detaches the files of a thing that is deleted for everybody: those attached to nothing else can no longer be opened by
 * anybody, their owner included, and are deleted soon.
 */
export async function withdrawFiles(db: Queryable, subject_id: string, now: Date): Promise<void> {
  const used = await db.many<{ file_id: string }>(sql`select file_id from file_uses where subject_id = ${subject_id}`);
  await detachFiles(db, [subject_id], now);
  await db.run(sql`
    update files set unused_since = '-infinity'
    where id = any(${used.map(({ file_id }) => file_id)}::text[]) and unused_since is not null`);
}
