/** Photos of contacts for an exported file: small JPEGs, which every phone can read, in Base64. */
import type { Contact } from '../../data/queries/contact-queries.ts';
import type { ExportedContact } from './contact-file.ts';

const SIDE_PX = 320;
/** The number of concurrent downloads. */
const AT_ONCE = 4;

async function readPhoto(url: string): Promise<string | undefined> {
  const answer = await fetch(url);
  if (!answer.ok) return undefined;
  const picture = await createImageBitmap(await answer.blob(), { resizeWidth: SIDE_PX, resizeHeight: SIDE_PX });
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Contacts with their photos as data; a photo that cannot be read is omitted, without its contact. */
export async function withPhotos(contacts: readonly Contact[]): Promise<ExportedContact[]> {
  const kept: ExportedContact[] = contacts.map((one) => ({ ...one }));
  const waiting = contacts.flatMap(({ photo_url }, at) => (photo_url === null ? [] : [{ photo_url, at }]));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const photo = await readPhoto(next.photo_url).catch(() => undefined);
      const contact = kept[next.at];
      if (photo !== undefined && contact !== undefined) contact.photo = photo;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return kept;
}
