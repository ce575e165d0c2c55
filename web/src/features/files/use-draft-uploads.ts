import { useCallback, useEffect, useRef } from 'react';
import { useMe } from '../../data/queries/me-query.ts';
import { loadKeptFiles, readAttached, writeAttached } from './attached-files.ts';
import type { AttachedFile } from './attached-files.ts';
import { isAttachable, sendAlone, useUploads } from './use-uploads.ts';
import type { Upload } from './use-uploads.ts';

const describe = ({ key, name, type, size, file }: Upload): AttachedFile => ({
  key,
  name,
  type,
  size,
  ...(file === undefined ? {} : { file }),
});

/** Reads the files that were attached before, and removes those that this device no longer has. */
async function resumeAll(
  first: readonly Upload[],
  { resume, remove }: Pick<ReturnType<typeof useUploads>, 'resume' | 'remove'>,
  isShown: () => boolean,
): Promise<void> {
  if (first.length === 0) return;
  const { measurePicture, readKept } = await loadKeptFiles();
  for (const one of first) {
    const source = await readKept(one);
    if (!isShown()) return;
    if (source !== undefined) {
      measurePicture(source);
      resume(one, source);
    } else if (one.file === undefined) remove(one.key);
  }
}

/** Stores the files that were added, and forgets those that were sent or removed. */
async function storeChanges(before: readonly Upload[], now: readonly Upload[], isSent: (key: string) => boolean) {
  const isIn = (all: readonly Upload[]) => {
    const keys = new Set(all.map(({ key }) => key));
    return ({ key }: Upload) => keys.has(key);
  };
  const added = now.filter((one) => !isIn(before)(one) && isAttachable(one));
  const gone = before.filter((one) => !isIn(now)(one) && !isSent(one.key));
  if (added.length + gone.length === 0) return;
  const { dropFile, keepFile } = await loadKeptFiles();
  for (const { key, source } of added) if (source !== undefined) keepFile(key, source);
  for (const { key } of gone) dropFile(key);
}

/**
 * The uploads of a draft. They are stored beside its text until they are sent or removed, so that neither leaving the
 * page nor a reload loses them; those of guests are not.
 */
export function useDraftUploads(most: number, draft: string) {
  const user_id = useMe()?.id;
  const readFirst = () =>
    user_id === undefined
      ? []
      : readAttached(user_id, draft).map((one) => ({ ...one, sent: one.file === undefined ? 0 : 1 }));
  const { take, resume, ...list } = useUploads(most, sendAlone, readFirst);
  const { uploads, remove } = list;
  const before = useRef(uploads);
  const sent = useRef(new Set<string>());
  useEffect(() => {
    let is_shown = true;
    void resumeAll(before.current, { resume, remove }, () => is_shown);
    return () => {
      is_shown = false;
    };
  }, [resume, remove]);
  useEffect(() => {
    if (user_id === undefined || before.current === uploads) return;
    writeAttached(user_id, draft, uploads.filter(isAttachable).map(describe));
    void storeChanges(before.current, uploads, (key) => sent.current.has(key));
    before.current = uploads;
  }, [uploads, user_id, draft]);
  const takeAll = useCallback(() => {
    const taken = take();
    // Files that are not uploaded yet now belong to the message.
    for (const one of taken) if (!('id' in one)) sent.current.add(one.key);
    return taken;
  }, [take]);
  return { ...list, take: takeAll };
}
