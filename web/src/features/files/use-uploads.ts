import type { Input, MediaFile, UploadProgress } from '@asterism/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem, fieldProblems } from '../../ui/problems/problem.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isPassing } from '../../data/cache.ts';
import { newKey } from '../../data/new-key.ts';
import { addressOf, uploadOnce } from './local-uploads.ts';

/** A file that is being or was uploaded. */
export interface Upload {
  readonly key: number;
  readonly name: string;
  /** 0 to 1. */
  readonly sent: number;
  readonly file?: MediaFile;
  readonly problem?: string | undefined;
  /** Whether it can be retried: a file that is too large cannot. */
  readonly can_repeat?: boolean;
  /** The address at which this page shows a picture of the device. */
  readonly picture_url?: string;
}

const MAX_BYTES = 25 * 1024 * 1024;

/** Says how many of the chosen files are taken when there is no room for all. */
const describeRoom = (room: number): string =>
  room === 0
    ? i18n.t('No more files can be attached.')
    : i18n.t('{room, plural, one {Only # more file can be attached.} other {Only # more files can be attached.}}', {
        room,
      });

/** The operation that uploads a file. */
export type SendFile = (input: Input<'files', 'uploadFile'>) => Promise<MediaFile>;

const sendAlone: SendFile = (input) => sdk.files.uploadFile(input);

/** A chosen file that is not uploaded yet. */
export interface Chosen {
  readonly file: File;
  /** The idempotency key of its upload. */
  readonly upload_key: string;
}

type Change = (key: number, part: Partial<Upload>) => void;

/** Uploads files one after the other, and reports the progress of each. */
function useQueue(sendFile: SendFile, change: Change) {
  const stops = useRef(new Map<number, AbortController>());
  const files = useRef(new Map<number, Chosen>());
  const last = useRef(Promise.resolve());
  // Pending uploads are cancelled when the page is left.
  useEffect(() => {
    const held = stops.current;
    return () => held.forEach((stop) => stop.abort());
  }, []);
  const send = useCallback(
    async ({ file: chosen, upload_key }: Chosen, key: number, stop: AbortController) => {
      // It was removed or taken meanwhile.
      if (stop.signal.aborted || !files.current.has(key)) return;
      try {
        const input = {
          file: chosen,
          signal: stop.signal,
          idempotency_key: upload_key,
          onProgress: ({ sent_bytes, total_bytes }: UploadProgress) =>
            change(key, { sent: sent_bytes / Math.max(1, total_bytes) }),
        };
        const file = await uploadOnce(input, sendFile);
        change(key, { file, sent: 1 });
      } catch (error) {
        const problem = fieldProblems(error)['file'] ?? describeProblem(error);
        if (!stop.signal.aborted) change(key, { problem, can_repeat: isPassing(error) });
      } finally {
        stops.current.delete(key);
      }
    },
    [change, sendFile],
  );
  const enqueue = useCallback(
    (key: number, file?: File) => {
      const chosen = file === undefined ? files.current.get(key) : { file, upload_key: newKey() };
      if (chosen === undefined) return;
      const stop = new AbortController();
      stops.current.set(key, stop);
      files.current.set(key, chosen);
      last.current = last.current.then(() => send(chosen, key, stop));
    },
    [send],
  );
  const forget = useCallback((key: number) => {
    stops.current.get(key)?.abort();
    files.current.delete(key);
  }, []);
  const take = useCallback((key: number): Chosen | undefined => {
    const chosen = files.current.get(key);
    stops.current.delete(key);
    files.current.delete(key);
    return chosen;
  }, []);
  return { enqueue, forget, take };
}

/**
 * Uploads files as soon as they are chosen, one after the other, in the order in which they were chosen, and holds the
 * results until they are sent.
 * @param sendFile a stable function: pending files are uploaded with the one from when they were chosen
 */
export function useUploads(most: number, sendFile: SendFile = sendAlone) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const next_key = useRef(1);
  const change = useCallback<Change>((key, part) => {
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  }, []);
  const { enqueue, forget, take: takeFile } = useQueue(sendFile, change);

  const again = useCallback(
    (key: number) => {
      change(key, { problem: undefined, can_repeat: false, sent: 0 });
      enqueue(key);
    },
    [change, enqueue],
  );

  const add = useCallback(
    (chosen: readonly File[]) => {
      const room = Math.max(0, most - uploads.length);
      if (chosen.length > room) showToast(describeRoom(room));
      const taken = chosen.slice(0, room).map((file) => ({ file, key: next_key.current++ }));
      const begun = taken.map(({ file, key }) => ({
        key,
        name: file.name,
        sent: 0,
        ...(file.type.startsWith('image/') ? { picture_url: addressOf(file) } : {}),
        ...(file.size > MAX_BYTES ? { problem: i18n.t('It is larger than 25 MB.') } : {}),
      }));
      setUploads((all) => [...all, ...begun]);
      for (const { file, key } of taken) {
        if (file.size <= MAX_BYTES) enqueue(key, file);
      }
    },
    [most, uploads.length, enqueue],
  );

  const remove = useCallback(
    (key: number) => {
      forget(key);
      setUploads((all) => all.filter((one) => one.key !== key));
    },
    [forget],
  );

  const replace = useCallback((files: readonly MediaFile[]) => {
    setUploads(files.map((file) => ({ key: next_key.current++, name: i18n.t('Attached'), sent: 1, file })));
  }, []);

  /**
   * Takes the files for a message, in their order; uploads continue without this list. Files that cannot be uploaded
   * stay in it.
   */
  const take = useCallback((): readonly (MediaFile | Chosen)[] => {
    const isTaken = ({ problem, can_repeat }: Upload) => problem === undefined || can_repeat === true;
    const taken = uploads.filter(isTaken).flatMap(({ key, file }) => file ?? takeFile(key) ?? []);
    setUploads((all) => all.filter((one) => !isTaken(one)));
    return taken;
  }, [uploads, takeFile]);

  return { uploads, add, again, remove, replace, take };
}
