/** Uploads: examined and stored before the change, counted and named within it, taken back when it does not come about. */
import type { Upload } from '../../kernel/endpoint.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { examine, type Examined } from '../../kernel/media/media.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { plan_limits } from '../billing/entitlements.ts';
import { nameOfDocument } from './file-names.ts';
import type { FileRow, Variant } from './files.ts';

/** A file whose bytes are stored, but which nobody has yet. */
export type StagedUpload = {
  id: string;
  owner_id: string;
  name: string | null;
  examined: Examined;
  variants: Variant[];
  size_bytes: number;
};

/** Where the bytes of a file are kept: all in one folder, since a folder of its own would be left behind empty. */
export const blobKey = (file_id: string, variant: string) => `files/${file_id}.${variant}`;
/** The file whose bytes a key names. */
export const fileOfKey = (key: string) => key.slice('files/'.length).split('.', 1)[0] ?? '';

/** What a plan gives to the owner `users` of files, in bytes. */
const allowance = sql`case tier when 'plus' then ${plan_limits.plus.storage_bytes}::bigint else ${plan_limits.free.storage_bytes}::bigint end`;

/**
 * Reads an upload by its content and stores its bytes. It belongs to nothing until `storeUpload`; when that does not
 * come about, `discardUpload` takes it back.
 * @throws ApiError `validation_failed`, `plan_limit_reached` when the plan is full already, `unavailable`
 */
export async function stageUpload(services: Services, owner_id: string, upload: Upload): Promise<StagedUpload> {
  if (upload.bytes.length === 0) invalid({ file: 'is empty' });
  if (await isStorageFull(services.db, owner_id)) refuseFull();
  const examined = await services.decoder.use(owner_id, (decode) => examine(upload.bytes, decode, services.transcoder));
  const pictures = Object.entries(examined.pictures);
  const variants = pictures.map(([name, { bytes, width, height }]) => ({
    name: name as Variant['name'],
    width,
    height,
    size_bytes: bytes.length,
    content_type: 'image/webp',
  }));
  const size_bytes = variants.reduce((sum, one) => sum + one.size_bytes, examined.bytes.length);
  const own_name = examined.kind === 'other' ? nameOfDocument(upload.filename) : null;
  const staged = { id: services.id('file'), owner_id, name: own_name, examined, variants, size_bytes };
  try {
    await services.blobs.put(blobKey(staged.id, 'main'), examined.bytes, { content_type: examined.content_type });
    for (const [name, { bytes }] of pictures)
      await services.blobs.put(blobKey(staged.id, name), bytes, { content_type: 'image/webp' });
  } catch (error) {
    await discardUpload(services, staged);
    throw error;
  }
  return staged;
}

/** Takes back the bytes of an upload that nobody got. What cannot be removed now, the daily sweep removes. */
export async function discardUpload(
  services: Services,
  { id, variants }: Pick<StagedUpload, 'id' | 'variants'>,
): Promise<void> {
  for (const name of ['main', ...variants.map((one) => one.name)])
    await services.blobs.remove(blobKey(id, name)).catch(() => undefined);
}

/**
 * Gives a staged upload to its owner and counts it, in the change's own transaction.
 * @throws ApiError `plan_limit_reached`
 */
export async function storeUpload({ db, now }: Change, staged: StagedUpload): Promise<FileRow> {
  const { id, owner_id, name, examined, variants, size_bytes } = staged;
  const { kind, content_type, bytes, width, height, duration_s, waveform, blurhash } = examined;
  await countStorage(db, owner_id, size_bytes);
  const row: FileRow = {
    id,
    owner_id,
    kind,
    content_type,
    name,
    main_bytes: bytes.length,
    width: width ?? null,
    height: height ?? null,
    duration_s: duration_s ?? null,
    waveform: waveform ?? null,
    blurhash: blurhash ?? null,
    variants,
    created_at: now,
  };
  await db.run(sql`
    insert into files (id, owner_id, kind, content_type, name, size_bytes, main_bytes, width, height, duration_s, waveform,
                       blurhash, variants, created_at, unused_since)
    values (${id}, ${owner_id}, ${kind}, ${content_type}, ${name}, ${size_bytes}, ${row.main_bytes}, ${row.width}, ${row.height},
            ${row.duration_s}, ${waveform ? JSON.stringify(waveform) : null}::jsonb, ${row.blurhash},
            ${JSON.stringify(variants)}::jsonb, ${now}, ${now})`);
  return row;
}

/** A file that the service has made, and whose bytes are stored: Ogg Opus, or a film in MP4. */
export type Made = {
  id: string;
  /** Without its poster. */
  main_bytes: number;
  duration_s: number;
  film?: { width: number; height: number; blurhash: string; poster: Variant };
};

/**
 * Gives a file that the service has made to its owner. It is counted, and kept also when the plan is full by then: what
 * was said is not thrown away.
 */
export async function storeMadeFile(
  { db, now }: Pick<Change, 'db' | 'now'>,
  owner_id: string,
  made: Made,
): Promise<void> {
  const { id, main_bytes, duration_s, film } = made;
  const size_bytes = main_bytes + (film?.poster.size_bytes ?? 0);
  const [kind, content_type] = film ? ['video', 'video/mp4'] : ['audio', 'audio/ogg'];
  await db.run(sql`
    with counted as (update users set storage_bytes = storage_bytes + ${size_bytes}::bigint where id = ${owner_id})
    insert into files (id, owner_id, kind, content_type, size_bytes, main_bytes, width, height, duration_s, blurhash,
                       variants, created_at, unused_since)
    values (${id}, ${owner_id}, ${kind}, ${content_type}, ${size_bytes}, ${main_bytes}, ${film?.width ?? null},
            ${film?.height ?? null}, ${duration_s}, ${film?.blurhash ?? null},
            ${JSON.stringify(film ? [film.poster] : [])}::jsonb, ${now}, ${now})`);
}

/** Whether an account's plan has no room left. */
export async function isStorageFull(db: Queryable, owner_id: string): Promise<boolean> {
  return (
    (await db.maybe(sql`select 1 from users where id = ${owner_id} and storage_bytes >= ${allowance}`)) !== undefined
  );
}

/** Adds to what an account stores, as far as its plan allows. @throws ApiError `plan_limit_reached` */
async function countStorage(db: Queryable, owner_id: string, size_bytes: number): Promise<void> {
  const counted = await db.run(sql`
    update users set storage_bytes = storage_bytes + ${size_bytes}::bigint
    where id = ${owner_id} and storage_bytes + ${size_bytes}::bigint <= ${allowance}`);
  if (counted === 0) refuseFull();
}

export const refuseFull = () =>
  fail('plan_limit_reached', { message: 'Your plan has not enough storage left for this file.' });
