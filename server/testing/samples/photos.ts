/** Photos of contacts in tests. */
import sharp from 'sharp';
import type { Persona } from '../world/personas.ts';
import { multipart } from './upload.ts';
import type { World } from '../world/world.ts';

/** A JPEG with EXIF metadata. */
export const drawPhoto = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 30, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Secret of the camera' } })
    .toBuffer();

/** Creates a contact. @returns its identifier */
export async function createContact(world: World, { token }: Persona, name: string): Promise<string> {
  return (await world.call('POST /contacts', { token, body: { name } })).body.id;
}

/** Uploads the photo of a contact. */
export const uploadPhoto = (world: World, { token }: Persona, id: string, bytes: Buffer) =>
  world.call(`PUT /contacts/${id}/photo`, { token, ...multipart(bytes) });

/** Requests a photo by its address. */
export const loadPhoto = (world: World, url: string) =>
  world.app.http.inject({ method: 'GET', url: new URL(url).pathname });
