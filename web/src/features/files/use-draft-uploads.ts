import { useCallback, useEffect, useRef } from 'react';
import { useMe } from '../../data/queries/me-query.ts';
import { readAttached, writeAttached } from './attached-files.ts';
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

const loadDraftFiles = () => import('./draft-files.ts');

/**
 * The uploads of a draft. They are stored beside its text until they are sent or removed, so that neither leaving the
 * page nor a reload loses them; those of guests are not.
 */
export function useDraftUploads(max: number, draft: string) {
  const user_id = useMe()?.id;
  const readFirst = () =>
    user_id === undefined
      ? []
      : readAttached(user_id, draft).map((one) => ({ ...one, sent: one.file === undefined ? 0 : 1 }));
  const { take, resume, ...list } = useUploads(max, sendAlone, readFirst);
  const { uploads, remove } = list;
  const before = useRef(uploads);
  const sent = useRef(new Set<string>());
  useEffect(() => {
    const first = before.current;
    if (first.length === 0) return;
    let is_shown = true;
    void loadDraftFiles().then(({ resumeAll }) => resumeAll(first, { resume, remove }, () => is_shown));
    return () => {
      is_shown = false;
    };
  }, [resume, remove]);
  useEffect(() => {
    if (user_id === undefined || before.current === uploads) return;
    writeAttached(user_id, draft, uploads.filter(isAttachable).map(describe));
    const last = before.current;
    before.current = uploads;
    void loadDraftFiles().then(({ storeChanges }) => storeChanges(last, uploads, (key) => sent.current.has(key)));
  }, [uploads, user_id, draft]);
  const takeAll = useCallback(() => {
    const taken = take();
    // Files that are not uploaded yet now belong to the message.
    for (const one of taken) if (!('id' in one)) sent.current.add(one.key);
    return taken;
  }, [take]);
  return { ...list, take: takeAll };
}
