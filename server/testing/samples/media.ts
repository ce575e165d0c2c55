/** Images, audio and uploads in tests. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Persona } from '../world/personas.ts';
import { multipart } from './upload.ts';
import type { World } from '../world/world.ts';

/** Uploads bytes under a name that does not reveal their type. */
export function upload(world: World, { token }: Persona, bytes: Buffer, path = '/files') {
  return world.call(`POST ${path}`, { token, ...multipart(bytes, 'note.txt', 'text/plain') });
}

/** An image of one colour, as PNG. */
export function drawPng(width: number, height: number, background = 'red'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A black square image of one bit per pixel (PNG, third edition, section 11). */
export function blankPng(side_px: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(typed.length + 8);
    framed.writeUInt32BE(data.length, 0);
    typed.copy(framed, 4);
    framed.writeUInt32BE(crc32(typed), typed.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side_px, 0);
  header.writeUInt32BE(side_px, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side_px * (Math.ceil(side_px / 8) + 1)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** Uploads a small image and returns the file. */
export async function uploadPicture(world: World, owner: Persona, background = 'red') {
  return (await upload(world, owner, await drawPng(8, 6, background))).body;
}

/** The loudness of `createWav`: after a second it is a quarter. */
const fall = (at_s: number) => (at_s < 1 ? 20_000 : 5000);

/** A tone at 8 kHz as 16-bit WAV. @param loudness its amplitude at each second */
export function createWav(seconds = 2, loudness: (at_s: number) => number = fall): Buffer {
  const rate = 8000;
  const data = Buffer.alloc(rate * seconds * 2);
  for (let at = 0; at < rate * seconds; at++)
    data.writeInt16LE(Math.round(Math.sin(at / 3) * loudness(at / rate)), at * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** Requests an address that the service has signed, in process. */
export async function fetchSigned(world: World, url: string, headers: Record<string, string> = {}, method = 'GET') {
  const { pathname, search } = new URL(url);
  const response = await world.app.http.inject({ method: method as 'GET', url: pathname + search, headers });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
}

/** The storage of an account, by its counter and by its rows. */
export async function storageUse(world: World, { id }: Persona): Promise<{ counted: number; stored: number }> {
  const { rows } = await world.app.services.db.native.query(
    `select storage_bytes::int as counted,
            (select coalesce(sum(size_bytes), 0)::int from files where owner_id = users.id) as stored from users where id = $1`,
    [id],
  );
  return rows[0];
}

/** The keys of all bytes that are stored for files. */
export async function blobKeys(world: World): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of world.app.services.blobs.list('files/')) keys.push(key);
  return keys;
}
