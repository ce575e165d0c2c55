import type { Input, MediaFile, UploadProgress } from '@asterism/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeFileProblem } from '../../ui/problems/problem.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isTransient } from '../../data/cache.ts';
import { newKey } from '../../data/new-key.ts';
import { addressOf, uploadOnce } from './local-uploads.ts';

/** A file that is being or was uploaded. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The file of this device, if it is known here. */
  readonly source?: File;
  /** 0 to 1. */
  readonly sent: number;
  readonly file?: MediaFile;
  readonly problem?: string | undefined;
  /** Whether it can be retried: a file that is too large cannot. */
  readonly can_repeat?: boolean;
  /** The address at which this page shows a picture of the device. */
  readonly picture_url?: string;
}

/** Whether a file can be part of a message, now or once it is uploaded. */
export const isAttachable = ({ problem, can_repeat }: Upload): boolean => problem === undefined || can_repeat === true;

/** The most bytes of a file. */
export const MAX_BYTES = 25 * 1024 * 1024;

/** Says how many of the chosen files are taken when there is no room for all. */
const describeRoom = (room: number): string =>
  room === 0
    ? i18n.t('No more files can be attached.')
    : i18n.t('{room, plural, one {Only # more file can be attached.} other {Only # more files can be attached.}}', {
        room,
      });

/** The operation that uploads a file. */
export type SendFile = (input: Input<'files', 'uploadFile'>) => Promise<MediaFile>;

/** Uploads a file that belongs to nothing else yet. */
export const sendAlone: SendFile = (input) => sdk.files.uploadFile(input);

/** A chosen file that is not uploaded yet. */
export interface ChosenFile {
  readonly key: string;
  readonly file: File;
  /** The idempotency key of its upload. */
  readonly upload_key: string;
}

type Change = (key: string, part: Partial<Upload>) => void;

/** Uploads files one after the other, and reports the progress of each. */
function useUploadQueue(sendFile: SendFile, change: Change) {
  const controllers = useRef(new Map<string, AbortController>());
  const files = useRef(new Map<string, ChosenFile>());
  const last = useRef(Promise.resolve());
  // Pending uploads are cancelled when the page is left.
  useEffect(() => {
    const pending = controllers.current;
    return () => pending.forEach((controller) => controller.abort());
  }, []);
  const send = useCallback(
    async ({ file: chosen, upload_key }: ChosenFile, key: string, controller: AbortController) => {
      // It was removed or taken meanwhile.
      if (controller.signal.aborted || !files.current.has(key)) return;
      try {
        const input = {
          file: chosen,
          signal: controller.signal,
          idempotency_key: upload_key,
          onProgress: ({ sent_bytes, total_bytes }: UploadProgress) =>
            change(key, { sent: sent_bytes / Math.max(1, total_bytes) }),
        };
        const file = await uploadOnce(input, sendFile);
        change(key, { file, sent: 1 });
      } catch (error) {
        if (!controller.signal.aborted)
          change(key, { problem: describeFileProblem(error), can_repeat: isTransient(error) });
      } finally {
        controllers.current.delete(key);
      }
    },
    [change, sendFile],
  );
  const enqueue = useCallback(
    (key: string, file?: File) => {
      const chosen = file === undefined ? files.current.get(key) : { key, file, upload_key: newKey() };
      if (chosen === undefined) return;
      const controller = new AbortController();
      controllers.current.set(key, controller);
      files.current.set(key, chosen);
      last.current = last.current.then(() => send(chosen, key, controller));
    },
    [send],
  );
  const forget = useCallback((key: string) => {
    controllers.current.get(key)?.abort();
    files.current.delete(key);
  }, []);
  const take = useCallback((key: string): ChosenFile | undefined => {
    const chosen = files.current.get(key);
    controllers.current.delete(key);
    files.current.delete(key);
    return chosen;
  }, []);
  const has = useCallback((key: string) => files.current.has(key), []);
  return { enqueue, forget, take, has };
}

/** What is shown of a file of this device. */
const showSource = (source: File) => ({
  source,
  ...(source.type.startsWith('image/') ? { picture_url: addressOf(source) } : {}),
});

const showChosen = (key: string, file: File): Upload => ({
  key,
  name: file.name,
  type: file.type,
  size: file.size,
  sent: 0,
  ...showSource(file),
  ...(file.size > MAX_BYTES ? { problem: i18n.t('It is larger than 25 MB.') } : {}),
});

function showUploaded(file: MediaFile): Upload {
  const { content_type: type, size_bytes: size } = file;
  return { key: newKey(), name: i18n.t('Attached'), type, size, sent: 1, file };
}

/**
 * Uploads files as soon as they are chosen, one after the other, in the order in which they were chosen, and holds the
 * results until they are sent.
 * @param sendFile a stable function: pending files are uploaded with the one from when they were chosen
 * @param readFirst reads the files that are in it at first; those that are not uploaded are passed to `resume`
 */
export function useUploads(max: number, sendFile: SendFile = sendAlone, readFirst: () => readonly Upload[] = () => []) {
  const [uploads, setUploads] = useState(readFirst);
  const change = useCallback<Change>((key, part) => {
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  }, []);
  const { enqueue, forget, take: takeFile, has } = useUploadQueue(sendFile, change);

  const retry = useCallback(
    (key: string) => {
      change(key, { problem: undefined, can_repeat: false, sent: 0 });
      enqueue(key);
    },
    [change, enqueue],
  );

  const add = useCallback(
    (chosen: readonly File[]) => {
      const room = Math.max(0, max - uploads.length);
      if (chosen.length > room) showToast(describeRoom(room));
      const taken = chosen.slice(0, room).map((file) => ({ file, key: newKey() }));
      const begun = taken.map(({ file, key }) => showChosen(key, file));
      setUploads((all) => [...all, ...begun]);
      for (const { file, key } of taken) {
        if (file.size <= MAX_BYTES) enqueue(key, file);
      }
    },
    [max, uploads.length, enqueue],
  );

  const remove = useCallback(
    (key: string) => {
      forget(key);
      setUploads((all) => all.filter((one) => one.key !== key));
    },
    [forget],
  );

  const replace = useCallback((files: readonly MediaFile[]) => {
    setUploads(files.map(showUploaded));
  }, []);

  /** Continues with a file that was in it at first, and has been read again; its upload is not repeated. */
  const resume = useCallback(
    ({ key, file }: Upload, source: File) => {
      change(key, showSource(source));
      if (file === undefined) enqueue(key, source);
    },
    [change, enqueue],
  );

  /**
   * Takes the files for a message, in their order; uploads continue without this list. Files that cannot be uploaded,
   * or are still being read, stay in it.
   */
  const take = useCallback((): readonly (MediaFile | ChosenFile)[] => {
    const taken = uploads.filter((one) => isAttachable(one) && (one.file !== undefined || has(one.key)));
    const keys = new Set(taken.map(({ key }) => key));
    setUploads((all) => all.filter(({ key }) => !keys.has(key)));
    return taken.flatMap(({ key, file }) => file ?? takeFile(key) ?? []);
  }, [uploads, takeFile, has]);

  return { uploads, add, retry, remove, replace, resume, take };
}
