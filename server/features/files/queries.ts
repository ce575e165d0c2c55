import type { Variant } from '../../domain/files/files.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import { after } from '../../kernel/time.ts';

/**
 * How long after a request the attempts to recognise speech are over, in seconds: three of up to five minutes, and the
 * pauses between them. Without this pause, repeated requests for a file that cannot be recognised would occupy the engine.
 */
const retry_after_s = 20 * 60;

/** A deleted file, whose bytes are still stored; its size as text, since it has 64 bits. */
export type UnusedFile = { id: string; owner_id: string; size_bytes: string; variants: Variant[] };

/** Deletes files that nothing has used since a time, those first that have been unused longest. */
export function deleteUnused(db: Queryable, since: Date, portion: number): Promise<UnusedFile[]> {
  return db.many<UnusedFile>(sql`
    with due as (
      select id from files where unused_since <= ${since}
      order by unused_since limit ${portion}::int for update skip locked)
    delete from files using due where files.id = due.id
    returning files.id, files.owner_id, files.size_bytes, files.variants`);
}

/** Reduces what counts towards an account's storage. */
export async function subtractStorage(db: Queryable, user_id: string, bytes: number): Promise<void> {
  await db.run(sql`update users set storage_bytes = storage_bytes - ${bytes}::bigint where id = ${user_id}`);
}

/** Those identifiers that are files. */
export async function selectKnown(db: Queryable, ids: string[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`select id from files where id = any(${ids}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The transcript of a file, or null while there is none; the user is then notified once there is.
 * `is_new_request` unless they already wait for it; `is_due` when speech is to be recognised now: at the first request,
 * and again once the attempts after an earlier one are over.
 */
export function requestTranscript(
  db: Queryable,
  file_id: string,
  user_id: string,
  now: Date,
): Promise<{ transcript: string | null; is_new_request: boolean; is_due: boolean }> {
  return db.one(sql`
    with row as (
      insert into file_transcripts as known (file_id, created_at) values (${file_id}, ${now})
      on conflict (file_id) do update set created_at = case
        when known.transcript is null and known.created_at <= ${after(now, -retry_after_s)} then excluded.created_at
        else known.created_at end
      returning transcript, created_at = ${now}::timestamptz as is_due),
    request as (
      insert into transcript_requests (file_id, user_id, created_at)
      select ${file_id}, ${user_id}, ${now}::timestamptz from row where transcript is null
      on conflict (file_id, user_id) do nothing returning 1)
    select transcript, is_due, exists (select 1 from request) as is_new_request from row`);
}

/** A file whose transcript is requested and missing. */
export function selectUntranscribed(
  db: Queryable,
  file_id: string,
): Promise<{ id: string; content_type: string } | undefined> {
  return db.maybe(sql`
    select fi.id, fi.content_type from file_transcripts ft join files fi on fi.id = ft.file_id
    where ft.file_id = ${file_id} and ft.transcript is null`);
}

/** Stores the transcript of a file, unless the file is gone. */
export async function storeTranscript(db: Queryable, file_id: string, transcript: string): Promise<void> {
  await db.run(sql`
    update file_transcripts set transcript = ${transcript} where file_id = ${file_id} and transcript is null`);
}

/** Removes requests for a transcript, and returns whose they were. */
export async function takeRequests(db: Queryable, file_id: string, portion: number): Promise<string[]> {
  const rows = await db.many<{ user_id: string }>(sql`
    delete from transcript_requests where file_id = ${file_id} and user_id = any(array(
      select user_id from transcript_requests where file_id = ${file_id} order by user_id limit ${portion}::int))
    returning user_id`);
  return rows.map(({ user_id }) => user_id);
}
