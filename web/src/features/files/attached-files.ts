/** The files attached to a draft, as they are stored beside its text: the files themselves are in `unsent-files.ts`. */
import type { MediaFile } from '@asterism/sdk';
import { readStored, writeStored } from '../../data/storage/stored-texts.ts';
import type { LocalFile } from './local-file.ts';

/** A file that is attached to a draft, and uploaded or not. */
export interface AttachedFile extends LocalFile {
  readonly file?: MediaFile;
}

/** The code that stores files, which most pages do not need. */
export const loadUnsentFiles = () => import('./unsent-files.ts');

/** The service deletes files that nothing uses after a day. */
const UPLOADED_FOR_MS = 12 * 60 * 60_000;

const isRecent = ({ created_at }: MediaFile) => Date.now() - Date.parse(created_at) < UPLOADED_FOR_MS;

/** Where the files of a draft are stored. */
export const filesName = (draft: string): string => `files ${draft}`;

/** Reads the files of a draft; one that was uploaded long ago is uploaded again. */
export function readAttached(user_id: string, draft: string): readonly AttachedFile[] {
  const stored = readStored(user_id, filesName(draft));
  if (!Array.isArray(stored)) return [];
  return (stored as AttachedFile[]).map(({ file, ...local }) =>
    file !== undefined && isRecent(file) ? { ...local, file } : local,
  );
}

/** Stores what is known of the files of a draft. */
export function writeAttached(user_id: string, draft: string, all: readonly AttachedFile[]): void {
  writeStored(user_id, filesName(draft), all.length === 0 ? undefined : all);
}
