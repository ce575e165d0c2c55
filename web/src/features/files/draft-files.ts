/** The files of drafts, for the next page. */
import { dropUnsentFile, addUnsentFile, measurePicture, readUnsentFile } from './unsent-files.ts';
import { isAttachable } from './use-uploads.ts';
import type { Upload, useUploads } from './use-uploads.ts';

/** Reads the files that were attached before, and removes those that this device no longer has. */
export async function resumeAll(
  first: readonly Upload[],
  { resume, remove }: Pick<ReturnType<typeof useUploads>, 'resume' | 'remove'>,
  isShown: () => boolean,
): Promise<void> {
  for (const one of first) {
    const source = await readUnsentFile(one);
    if (!isShown()) return;
    if (source !== undefined) {
      measurePicture(source);
      resume(one, source);
    } else if (one.file === undefined) remove(one.key);
  }
}

/** Stores the files that were added, and forgets those that were sent or removed. */
export function storeChanges(
  before: readonly Upload[],
  now: readonly Upload[],
  isSent: (key: string) => boolean,
): void {
  const isIn = (all: readonly Upload[]) => {
    const keys = new Set(all.map(({ key }) => key));
    return ({ key }: Upload) => keys.has(key);
  };
  const added = now.filter((one) => !isIn(before)(one) && isAttachable(one));
  const gone = before.filter((one) => !isIn(now)(one) && !isSent(one.key));
  for (const { key, source } of added) if (source !== undefined) addUnsentFile(key, source);
  for (const { key } of gone) dropUnsentFile(key);
}
