/** Photos of contacts: stored under their owner and their content, and kept for as long as something refers to them. */
import { createHmac } from 'node:crypto';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import type { Secrets } from '../../kernel/security/secret.ts';
import type { Change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** A photo as it is stored: WebP, without metadata. */
export type EncodedPhoto = { key: string; bytes: Uint8Array };

/** Whose photos, and the secret of that account that goes into their names. */
export type PhotoOwner = { id: string; secret: string };

export const photoOwner = (secrets: Secrets, id: string): PhotoOwner => ({
  id,
  secret: secrets.sign('contact-photos', id),
});

/**
 * The name of a photo. Whoever has the same picture cannot tell it: else they could ask whether somebody has it, too.
 * @param hash of its content
 */
export function photoKey({ id, secret }: PhotoOwner, hash: string): string {
  const name = createHmac('sha256', secret).update(hash).digest('hex').slice(0, 32);
  return `${id.slice(4)}-${name}.webp`;
}

/** Where the file of a photo is stored. */
export const photoBlob = (key: string): string => `contact-photos/${key}`;

/** The address of a photo, which opens it: elements that show pictures send no token. */
export const photoUrl = (key: string | null, public_url: string): string | null =>
  key === null ? null : `${public_url}/v1/contact-photos/${key}`;

/** Registers photos before their files are stored, so that no file is left that nothing knows of. */
export async function registerPhotos(
  { db, now }: Pick<Change, 'db' | 'now'>,
  owner_id: string,
  keys: string[],
): Promise<void> {
  await db.run(sql`
    insert into contact_photos (key, owner_id, checked_at)
    select key, ${owner_id}, ${now}::timestamptz from unnest(${keys}::text[]) as key
    on conflict (key) do update set checked_at = excluded.checked_at`);
}

/** How long a photo without a reference is left: longer than a preview waits to be taken, in seconds. */
const unreferenced_s = 2 * 60 * 60;

/** Whether something refers to photo `p`: a contact, or one as it was before an import. */
const isReferenced = sql`(
  exists (select 1 from contacts c where c.owner_id = p.owner_id and c.details ->> 'photo' = p.key)
  or exists (
    select 1 from contact_imports b join contact_import_changes i on i.import_id = b.id
    where b.owner_id = p.owner_id and i.before -> 'details' ->> 'photo' = p.key))`;

/** Removes photos that nothing has referred to for hours; says whether there may be more to look at. */
export async function removeUnreferencedPhotos({ db, now, enqueue }: Change, portion: number): Promise<boolean> {
  const checked = await db.many<{ key: string; is_referenced: boolean }>(sql`
    select p.key, ${isReferenced} as is_referenced from contact_photos p where p.checked_at < ${after(now, -unreferenced_s)}
    order by p.checked_at limit ${portion}::int for update of p skip locked`);
  const keysOf = (is_referenced: boolean) =>
    checked.filter((one) => one.is_referenced === is_referenced).map(({ key }) => key);
  await db.run(sql`update contact_photos set checked_at = ${now} where key = any(${keysOf(true)}::text[])`);
  await db.run(sql`delete from contact_photos where key = any(${keysOf(false)}::text[])`);
  for (const key of keysOf(false)) enqueue(removePhoto, { key });
  return checked.length >= portion;
}

/** Removes the photos of an account; says whether there may be more. */
export async function purgePhotos({ db, enqueue }: Change, owner_id: string, portion: number): Promise<boolean> {
  const gone = await db.many<{ key: string }>(sql`
    delete from contact_photos where key = any(array(
      select key from contact_photos where owner_id = ${owner_id} order by key limit ${portion}::int)) returning key`);
  for (const { key } of gone) enqueue(removePhoto, { key });
  return gone.length >= portion;
}

/** Whether whoever has the address of a photo sees it: its owner is there and not suspended. */
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
