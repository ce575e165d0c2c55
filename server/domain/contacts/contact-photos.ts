/** Photos of contacts: stored under their owner and their content, and kept for as long as something names them. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import type { Change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** A photo as it is stored: WebP, without metadata. */
export type EncodedPhoto = { key: string; bytes: Uint8Array };

/** What a photo is called. @param hash of its content */
export const photoKey = (owner_id: string, hash: string): string => `${owner_id.slice(4)}-${hash}.webp`;

/** Where the file of a photo is stored. */
export const photoBlob = (key: string): string => `contact-photos/${key}`;

/** The address of a photo; it is as secret as its name is long, since pictures carry no token. */
export const photoUrl = (key: string | null, public_url: string): string | null =>
  key === null ? null : `${public_url}/v1/contact-photos/${key}`;

/** Notes photos whose files are stored, before a contact names them. */
export async function notePhotos(
  { db, now }: Pick<Change, 'db' | 'now'>,
  owner_id: string,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  await db.run(sql`
    insert into contact_photos (key, owner_id, checked_at)
    select key, ${owner_id}, ${now}::timestamptz from unnest(${keys}::text[]) as key
    on conflict (key) do update set checked_at = excluded.checked_at`);
}

/** How long a photo that nothing names is left: longer than a preview waits to be taken, in seconds. */
const unnamed_s = 2 * 60 * 60;

/** What may still name photo `p`: a contact, or one as it was before an import. */
const isNamed = sql`(
  exists (select 1 from contacts c where c.owner_id = p.owner_id and c.details ->> 'photo' = p.key)
  or exists (
    select 1 from contact_imports b join contact_import_changes i on i.import_id = b.id
    where b.owner_id = p.owner_id and i.before -> 'details' ->> 'photo' = p.key))`;

/** Lets go of photos that nothing has named for hours; says whether there may be more to look at. */
export async function dropUnnamedPhotos({ db, now, enqueue }: Change, portion: number): Promise<boolean> {
  const looked = await db.many<{ key: string; is_named: boolean }>(sql`
    select p.key, ${isNamed} as is_named from contact_photos p where p.checked_at < ${after(now, -unnamed_s)}
    order by p.checked_at limit ${portion}::int for update of p skip locked`);
  const keysOf = (is_named: boolean) => looked.filter((one) => one.is_named === is_named).map(({ key }) => key);
  await db.run(sql`update contact_photos set checked_at = ${now} where key = any(${keysOf(true)}::text[])`);
  await db.run(sql`delete from contact_photos where key = any(${keysOf(false)}::text[])`);
  for (const key of keysOf(false)) enqueue(removePhoto, { key });
  return looked.length >= portion;
}

/** Lets go of the photos of an account; says whether there may be more. */
export async function purgePhotos({ db, enqueue }: Change, owner_id: string, portion: number): Promise<boolean> {
  const gone = await db.many<{ key: string }>(sql`
    delete from contact_photos where key = any(array(
      select key from contact_photos where owner_id = ${owner_id} order by key limit ${portion}::int)) returning key`);
  for (const { key } of gone) enqueue(removePhoto, { key });
  return gone.length >= portion;
}

/** Whether a photo is stored for whoever has its address, and its owner is not suspended. */
export async function isPhotoShown(db: Queryable, key: string): Promise<boolean> {
  return (
    (await db.maybe(sql`
      select 1 from contact_photos p join users u on u.id = p.owner_id
      where p.key = ${key} and u.suspended_at is null and u.deleted_at is null`)) !== undefined
  );
}

/** Removes the file of a photo, unless the same one was stored again meanwhile. */
export const removePhoto = job<{ key: string }>({
  name: 'contacts.remove-photo',
  max_attempts: 10,
  async run({ key }, services) {
    const is_back = await services.db.maybe(sql`select 1 from contact_photos where key = ${key}`);
    if (!is_back) await services.blobs.remove(photoBlob(key));
  },
});
