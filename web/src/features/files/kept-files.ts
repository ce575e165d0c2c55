/**
 * Files of this device that belong to drafts and unsent messages: they are shown at once, stored for the next page, and
 * uploaded when there is a connection.
 */
import type { MediaFile } from '@asterism/sdk';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { dropStoredFile, readStoredFile, storeFile } from '../../data/stored-files.ts';
import { i18n } from '../../i18n/i18n.ts';
import { LostFile } from './local-file.ts';
import type { LocalFile, Pixels } from './local-file.ts';
import { addressOf, forgetAddress, sentOf, subscribeSent, uploadOnce } from './local-uploads.ts';
import type { UploadFile } from './local-uploads.ts';

/** The files of this page, by key. */
const held = new Map<string, File>();

const sizes = new WeakMap<File, Pixels>();

/** Measures a picture, for `keepFile`: its place is then reserved before it is drawn. */
export function measurePicture(file: File): void {
  if (!file.type.startsWith('image/')) return;
  const picture = new Image();
  picture.addEventListener('load', () =>
    sizes.set(file, { width: picture.naturalWidth, height: picture.naturalHeight }),
  );
  picture.src = addressOf(file);
}

/** Keeps a file until it is sent. */
export function keepFile(key: string, file: File): LocalFile {
  if (held.get(key) !== file) void storeFile(key, file);
  held.set(key, file);
  return { key, name: file.name, type: file.type, size: file.size, ...sizes.get(file) };
}

/** Reads a kept file; undefined when this device no longer has it. */
export async function readKept({ key, name, type }: LocalFile): Promise<File | undefined> {
  const here = held.get(key);
  if (here !== undefined) return here;
  const stored = await readStoredFile(key);
  if (stored === undefined) return undefined;
  const file = held.get(key) ?? new File([stored], name, { type });
  held.set(key, file);
  return file;
}

/** @throws LostFile when this device no longer has it */
async function fileOf(local: LocalFile): Promise<File> {
  const file = await readKept(local);
  if (file === undefined) throw new LostFile(i18n.t('The file is no longer on this device. Choose it again.'));
  return file;
}

/** Uploads a kept file. @param message_key the key of its message: one that was refused is sent under another */
export async function uploadKept(local: LocalFile, message_key: string, upload: UploadFile): Promise<MediaFile> {
  const idempotency_key = `${message_key} ${local.key}`;
  return uploadOnce({ file: await fileOf(local), idempotency_key, onProgress: () => undefined }, upload);
}

/** Forgets a file that was sent or discarded. */
export function dropFile(key: string): void {
  const file = held.get(key);
  if (file !== undefined) forgetAddress(file);
  held.delete(key);
  void dropStoredFile(key);
}

const kindOf = (type: string): MediaFile['kind'] => {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'other';
};

/** A kept file as uploaded ones are shown. */
function present({ key, name, type, size, width, height }: LocalFile, file: File): MediaFile {
  return {
    id: key,
    kind: kindOf(type),
    content_type: type,
    name,
    size_bytes: size,
    ...(width === undefined || height === undefined ? {} : { width, height }),
    poster_url: null,
    variants: [],
    stream_url: addressOf(file),
    stream_expires_at: '',
    created_at: '',
  };
}

/** How much of kept files was sent, 0 to 1. */
function shareOf(kept: readonly LocalFile[]): number {
  const total = kept.reduce((sum, { size }) => sum + size, 0);
  return kept.reduce((sum, { key, size }) => sum + sentOf(held.get(key)) * size, 0) / Math.max(1, total);
}

/** The kept files that this device still has, and the share of them that was sent. */
export function useKeptFiles(kept: readonly LocalFile[]): { files: MediaFile[]; sent: number } {
  const keys = kept.map(({ key }) => key).join(' ');
  const [, setRead] = useState(0);
  useEffect(() => {
    let is_shown = true;
    const read = async () => {
      // Sending reports those that are lost.
      await Promise.allSettled(kept.map(fileOf));
      if (is_shown) setRead((times) => times + 1);
    };
    if (kept.some(({ key }) => !held.has(key))) void read();
    return () => {
      is_shown = false;
    };
  }, [keys]);
  const sent = useSyncExternalStore(subscribeSent, () => shareOf(kept));
  const files = kept.flatMap((local) => {
    const file = held.get(local.key);
    return file === undefined ? [] : [present(local, file)];
  });
  return { files, sent };
}
