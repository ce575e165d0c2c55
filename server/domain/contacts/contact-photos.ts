/** Photos of contacts: stored by owner and content, and kept as long as something refers to them. */
import { createHmac } from 'node:crypto';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import type { Secrets } from '../../kernel/security/secret.ts';
import type { Change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { countStorage } from '../files/uploads.ts';
import { isActive } from '../visibility/people.ts';

/** A stored photo: WebP, without metadata. */
export type EncodedPhoto = { key: string; bytes: Uint8Array };

/** The owner of photos, and the account secret that is part of their names. */
export type PhotoOwner = { id: string; secret: string };

/** The owner of photos, with their secret. */
export const photoOwner = (secrets: Secrets, id: string): PhotoOwner => ({
  id,
  secret: secrets.sign('contact-photos', id),
});

/**
 * The name of a photo. It cannot be computed from the picture alone: otherwise a user with the same picture could test
 * whether another user has it.
 * @param hash of its content
 */
export function photoKey({ id, secret }: PhotoOwner, hash: string): string {
  const name = createHmac('sha256', secret).update(hash).digest('hex').slice(0, 32);
  return `${id.slice(4)}-${name}.webp`;
}

/** The blob key of a photo. */
export const photoBlob = (key: string): string => `contact-photos/${key}`;

/** The address of a photo. It needs no token, since image elements send none. */
export const photoUrl = (key: string | null, public_url: string): string | null =>
  key === null ? null : `${public_url}/v1/contact-photos/${key}`;

/**
 * Registers photos before their files are stored, so that no file is left unregistered. New ones count towards the
 * storage of their owner.
 * @throws ApiError `plan_limit_reached`
 */
export async function registerPhotos(
  { db, now }: Pick<Change, 'db' | 'now'>,
  owner_id: string,
  photos: { key: string; size_bytes: number }[],
): Promise<void> {
  const rows = await db.many<{ added_bytes: number }>(sql`
    insert into contact_photos (key, owner_id, checked_at, size_bytes)
    select key, ${owner_id}, ${now}::timestamptz, size_bytes
    from unnest(${photos.map(({ key }) => key)}::text[], ${photos.map(({ size_bytes }) => size_bytes)}::int[]) as photo (key, size_bytes)
    on conflict (key) do update set checked_at = excluded.checked_at
    returning case when xmax = 0 then size_bytes else 0 end as added_bytes`);
  const added_bytes = rows.reduce((sum, row) => sum + row.added_bytes, 0);
  if (added_bytes > 0) await countStorage(db, owner_id, added_bytes);
}

/** Deletes the rows of photos, and subtracts them from the storage of their owners. */
async function deletePhotos({ db, enqueue }: Pick<Change, 'db' | 'enqueue'>, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.run(sql`
    with gone as (delete from contact_photos where key = any(${keys}::text[]) returning owner_id, size_bytes)
    update users u set storage_bytes = greatest(u.storage_bytes - freed.bytes, 0)
    from (select owner_id, sum(size_bytes)::bigint as bytes from gone group by owner_id) freed where u.id = freed.owner_id`);
  for (const key of keys) enqueue(removePhoto, { key });
}

/** How long an unreferenced photo is kept: longer than a preview waits to be committed, in seconds. */
const unreferenced_s = 2 * 60 * 60;

/** Whether something refers to photo `p`: a contact, or an earlier version of one from before an import. */
const isReferenced = sql`(
  exists (select 1 from contacts c where c.owner_id = p.owner_id and c.details ->> 'photo' = p.key)
  or exists (
    select 1 from contact_imports b join contact_import_changes i on i.import_id = b.id
    where b.owner_id = p.owner_id and i.before -> 'details' ->> 'photo' = p.key))`;

/** Removes photos that have been unreferenced for hours. @returns whether there may be more */
export async function removeUnreferencedPhotos(change: Change, portion: number): Promise<boolean> {
  const { db, now } = change;
  const checked = await db.many<{ key: string; is_referenced: boolean }>(sql`
    select p.key, ${isReferenced} as is_referenced from contact_photos p where p.checked_at < ${after(now, -unreferenced_s)}
    order by p.checked_at limit ${portion}::int for update of p skip locked`);
  const keysOf = (is_referenced: boolean) =>
    checked.filter((one) => one.is_referenced === is_referenced).map(({ key }) => key);
  await db.run(sql`update contact_photos set checked_at = ${now} where key = any(${keysOf(true)}::text[])`);
  await deletePhotos(change, keysOf(false));
  return checked.length >= portion;
}

/** Removes the photos of an account. @returns whether there may be more */
export async function purgePhotos(change: Change, owner_id: string, portion: number): Promise<boolean> {
  const rows = await change.db.many<{ key: string }>(sql`
    select key from contact_photos where owner_id = ${owner_id} order by key limit ${portion}::int for update`);
  await deletePhotos(
    change,
    rows.map(({ key }) => key),
  );
  return rows.length >= portion;
}

/** Whether a photo is shown to the holder of its address: its owner exists and is not suspended. */
export async function isPhotoShown(db: Queryable, key: string): Promise<boolean> {
  return (
    (await db.maybe(sql`
      select 1 from contact_photos p join users u on u.id = p.owner_id
      where p.key = ${key} and ${isActive()}`)) !== undefined
  );
}

/** Removes the file of a photo, unless it was stored again meanwhile. */
export const removePhoto = job<{ key: string }>({
  name: 'contacts.remove-photo',
  max_attempts: 10,
  lane: 'providers',
  async run({ key }, services) {
    const is_back = await services.db.maybe(sql`select 1 from contact_photos where key = ${key}`);
    if (!is_back) await services.blobs.remove(photoBlob(key));
  },
});
