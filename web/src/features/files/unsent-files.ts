/**
 * Unsent files: those of drafts and unsent messages. They are shown at once, stored on this device for the next page, and
 * uploaded when there is a connection.
 */
import type { MediaFile } from '@asterism/sdk';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { dropStoredFile, readStoredFile, storeFile } from '../../data/storage/stored-files.ts';
import { i18n } from '../../i18n/i18n.ts';
import { LostFile, measures } from './local-file.ts';
import type { LocalFile } from './local-file.ts';
import { addressOf, forgetAddress, sentOf, subscribeSent, uploadOnce } from './local-uploads.ts';
import type { UploadFile } from './local-uploads.ts';

/** The files of this page, by key. */
const files_by_key = new Map<string, File>();

/** Measures a picture, for `addUnsentFile`: its place is then reserved before it is drawn. */
export function measurePicture(file: File): void {
  if (!file.type.startsWith('image/')) return;
  const picture = new Image();
  picture.addEventListener('load', () =>
    measures.set(file, { width: picture.naturalWidth, height: picture.naturalHeight }),
  );
  picture.src = addressOf(file);
}

/** Stores a file until it is sent or discarded. */
export function addUnsentFile(key: string, file: File): LocalFile {
  if (files_by_key.get(key) !== file) void storeFile(key, file);
  files_by_key.set(key, file);
  return { key, name: file.name, type: file.type, size: file.size, ...measures.get(file) };
}

/** Reads an unsent file; undefined when this device no longer has it. */
export async function readUnsentFile({ key, name, type }: LocalFile): Promise<File | undefined> {
  const here = files_by_key.get(key);
  if (here !== undefined) return here;
  const stored = await readStoredFile(key);
  if (stored === undefined) return undefined;
  const file = files_by_key.get(key) ?? new File([stored], name, { type });
  files_by_key.set(key, file);
  return file;
}

/** @throws LostFile when this device no longer has it */
async function fileOf(local: LocalFile): Promise<File> {
  const file = await readUnsentFile(local);
  if (file === undefined) throw new LostFile(i18n.t('The file is no longer on this device. Choose it again.'));
  return file;
}

/** Uploads an unsent file. @param message_key the key of its message: one that was refused is sent under another */
export async function uploadUnsentFile(local: LocalFile, message_key: string, upload: UploadFile): Promise<MediaFile> {
  const idempotency_key = `${message_key} ${local.key}`;
  return uploadOnce({ file: await fileOf(local), idempotency_key, onProgress: () => undefined }, upload);
}

/** Deletes a file that was sent or discarded. */
export function dropUnsentFile(key: string): void {
  const file = files_by_key.get(key);
  if (file !== undefined) forgetAddress(file);
  files_by_key.delete(key);
  void dropStoredFile(key);
}

const kindOf = (type: string): MediaFile['kind'] => {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'other';
};

/** An unsent file as uploaded ones are shown. */
function present({ key, name, type, size, width, height, duration_s }: LocalFile, file: File): MediaFile {
  return {
    id: key,
    kind: kindOf(type),
    content_type: type,
    name,
    size_bytes: size,
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(duration_s === undefined ? {} : { duration_s }),
    poster_url: null,
    variants: [],
    stream_url: addressOf(file),
    stream_expires_at: '',
    created_at: '',
  };
}

/** The share of some files that was sent, 0 to 1. */
function shareOf(locals: readonly LocalFile[]): number {
  const total = locals.reduce((sum, { size }) => sum + size, 0);
  return locals.reduce((sum, { key, size }) => sum + sentOf(files_by_key.get(key)) * size, 0) / Math.max(1, total);
}

/** The unsent files that this device still has, and the share of them that was sent. */
export function useUnsentFiles(locals: readonly LocalFile[]): { files: MediaFile[]; sent: number } {
  const keys = locals.map(({ key }) => key).join(' ');
  const [, setRead] = useState(0);
  useEffect(() => {
    let is_shown = true;
    const read = async () => {
      // Sending reports those that are lost.
      await Promise.allSettled(locals.map(fileOf));
      if (is_shown) setRead((times) => times + 1);
    };
    if (locals.some(({ key }) => !files_by_key.has(key))) void read();
    return () => {
      is_shown = false;
    };
  }, [keys]);
  const sent = useSyncExternalStore(subscribeSent, () => shareOf(locals));
  const files = locals.flatMap((local) => {
    const file = files_by_key.get(local.key);
    return file === undefined ? [] : [present(local, file)];
  });
  return { files, sent };
}
