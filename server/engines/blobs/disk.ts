/** File storage in a local folder. */
import { randomUUID } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import type { Blobs } from '../ports.ts';

/** Path segments of keys; "." and ".." are not allowed. */
const KEY_PART = /^(?!\.{1,2}$)[a-z0-9_.-]+$/;
/** The folder of incomplete files; no key can name it, because keys have no upper-case letters. */
const UNFINISHED = 'UNFINISHED';

/**
 * Opens, or creates with mode 0700, a storage folder. A file appears under its key complete and synced to disk (rename
 * after fsync), or not at all.
 */
export async function openDiskBlobs(options: { dir: string }): Promise<Blobs> {
  const { dir } = options;
  const unfinished_dir = join(dir, UNFINISHED);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // Incomplete files were left by a crash, since the data folder has one owner at a time.
  await rm(unfinished_dir, { recursive: true, force: true });
  await mkdir(unfinished_dir, { mode: 0o700 });

  return {
    async put(key, body) {
      const target = pathOf(dir, key);
      const unfinished = join(unfinished_dir, randomUUID());
      const source = body instanceof Readable ? body : undefined;
      // `writeFile` rejects with the error of the source, but listens to it only once the file is open.
      source?.on('error', () => undefined);
      try {
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await file.writeFile(body);
          await file.sync();
        } finally {
          await file.close();
        }
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(unfinished, target);
        await syncFolder(dirname(target));
      } catch (error) {
        source?.destroy();
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      const path = pathOf(dir, key);
      try {
        // The handle stays open from here on: a key that is replaced meanwhile is still read consistently.
        const file = await open(path, 'r');
        const { size } = await file.stat();
        if (size === 0 && !range) {
          await file.close();
          return { body: Readable.from([]), size_bytes: 0 };
        }
        const part = range && { start: range.first, end: range.last };
        return { body: createReadStream(path, { fd: file, ...part }), size_bytes: size };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(dir, key), { force: true });
    },
    async *list(prefix) {
      const keys: string[] = [];
      for await (const key of walk(dir, dir, prefix)) keys.push(key);
      yield* keys.sort();
    },
    close: () => Promise.resolve(),
  };
}

/** The keys of all complete files with a prefix. */
async function* walk(dir: string, from: string, prefix: string): AsyncGenerator<string> {
  let entries: Dirent[];
  try {
    entries = await readdir(from, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  for (const entry of entries) {
    const path = join(from, entry.name);
    const key = relative(dir, path);
    if (key === UNFINISHED) continue;
    if (entry.isDirectory() && (prefix.startsWith(`${key}/`) || key.startsWith(prefix))) yield* walk(dir, path, prefix);
    else if (entry.isFile() && key.startsWith(prefix)) yield key;
  }
}

/** @throws for an invalid key: keys are made by the service, so that an invalid one is a bug, never user input. */
function pathOf(dir: string, key: string): string {
  const parts = key.split('/');
  if (!parts.every((part) => KEY_PART.test(part))) throw new Error(`Not a key of a file: ${JSON.stringify(key)}`);
  return join(dir, ...parts);
}

/** A rename is durable only when its folder is synced (rename(2), fsync(2)). */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
