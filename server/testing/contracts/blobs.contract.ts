/** What every implementation of a file store must do. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Blobs, ByteRange } from '../../engines/ports.ts';

const TEXT = { content_type: 'text/plain' };

/** Declares the suite's tests. @param connect opens the store, which may already contain other keys */
export function testBlobs(connect: () => Promise<Blobs>): void {
  let blobs: Blobs;
  const folder = `test-${randomUUID()}`;
  beforeAll(async () => {
    blobs = await connect();
  });
  afterAll(async () => {
    for await (const key of blobs.list(folder)) await blobs.remove(key);
    await blobs.close();
  });

  const read = async (key: string, range?: ByteRange) => {
    const found = await blobs.get(`${folder}/${key}`, range);
    return found && { bytes: await buffer(found.body), size_bytes: found.size_bytes };
  };
  const list = async (prefix: string) => {
    const keys: string[] = [];
    for await (const key of blobs.list(`${folder}/${prefix}`)) keys.push(key.slice(folder.length + 1));
    return keys;
  };

  it('stores bytes unchanged, replaces them, and removes them', async () => {
    await blobs.put(`${folder}/a/note.txt`, Buffer.from('first'), TEXT);
    await blobs.put(`${folder}/a/note.txt`, Readable.from([Buffer.from('sec'), Buffer.from('ond')]), TEXT);
    expect(await read('a/note.txt')).toEqual({ bytes: Buffer.from('second'), size_bytes: 6 });
    await blobs.remove(`${folder}/a/note.txt`);
    expect(await read('a/note.txt')).toBeUndefined();
    await blobs.remove(`${folder}/a/note.txt`);
  });

  it('stores an empty file', async () => {
    await blobs.put(`${folder}/empty`, new Uint8Array(), TEXT);
    expect(await read('empty')).toEqual({ bytes: Buffer.alloc(0), size_bytes: 0 });
  });

  it('streams a large file', async () => {
    const chunk = randomBytes(1024 * 1024);
    const chunks = Array.from({ length: 20 }, () => chunk);
    await blobs.put(`${folder}/large`, Readable.from(chunks), { content_type: 'video/mp4' });
    const found = await read('large');
    expect(found?.size_bytes).toBe(20 * chunk.length);
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(digest(found!.bytes)).toBe(digest(Buffer.concat(chunks)));
  });

  it('returns a range, both ends included, with the size of the whole', async () => {
    await blobs.put(`${folder}/digits`, Buffer.from('0123456789'), TEXT);
    expect(await read('digits', { first: 2, last: 4 })).toEqual({ bytes: Buffer.from('234'), size_bytes: 10 });
    expect(await read('digits', { first: 9, last: 9 })).toEqual({ bytes: Buffer.from('9'), size_bytes: 10 });
    expect(await read('absent', { first: 0, last: 1 })).toBeUndefined();
  });

  it('stores nothing, and keeps an earlier file, when the source fails', async () => {
    async function* broken(size_bytes: number) {
      yield Buffer.alloc(size_bytes, 'x');
      throw new Error('the sender went away');
    }
    await blobs.put(`${folder}/kept`, Buffer.from('before'), TEXT);
    for (const size_bytes of [10, 20 * 1024 * 1024]) {
      await expect(blobs.put(`${folder}/broken`, Readable.from(broken(size_bytes)), TEXT)).rejects.toThrow('went away');
      await expect(blobs.put(`${folder}/kept`, Readable.from(broken(size_bytes)), TEXT)).rejects.toThrow('went away');
    }
    expect(await list('')).not.toContain('broken');
    expect((await read('kept'))?.bytes.toString()).toBe('before');
  });

  it('rejects with the error of a source that cannot be opened, which would otherwise end the process', async () => {
    for (let count = 0; count < 20; count += 1) {
      const absent = createReadStream(join(tmpdir(), randomUUID()));
      await expect(blobs.put(`${folder}/absent`, absent, TEXT)).rejects.toThrow('ENOENT');
    }
    expect(await list('absent')).toEqual([]);
  });

  it('lists the keys under a prefix in order', async () => {
    for (const key of ['l/b', 'l/a2', 'l/a/2', 'list']) {
      await blobs.put(`${folder}/${key}`, Buffer.from(key), TEXT);
    }
    expect(await list('l/')).toEqual(['l/a/2', 'l/a2', 'l/b']);
    expect(await list('l/a')).toEqual(['l/a/2', 'l/a2']);
    expect(await list('nothing')).toEqual([]);
  });
}
