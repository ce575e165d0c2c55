import type { Input, MediaFile } from '@asterism/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem, fieldProblems } from '../../ui/problems/problem.ts';
import { i18n } from '../../i18n/i18n.ts';

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

type Change = (key: number, part: Partial<Upload>) => void;

/** Uploads files one after the other, and reports the progress of each. */
function useQueue(sendFile: SendFile, change: Change) {
  const stops = useRef(new Map<number, AbortController>());
  const files = useRef(new Map<number, File>());
  const last = useRef(Promise.resolve());
  // Pending uploads are cancelled when the page is left.
  useEffect(() => {
    const held = stops.current;
    return () => held.forEach((stop) => stop.abort());
  }, []);
  const send = useCallback(
    async (chosen: File, key: number, stop: AbortController) => {
      if (stop.signal.aborted) return;
      try {
        const file = await sendFile({
          file: chosen,
          signal: stop.signal,
          onProgress: ({ sent_bytes, total_bytes }) => change(key, { sent: sent_bytes / Math.max(1, total_bytes) }),
        });
        change(key, { file, sent: 1 });
      } catch (error) {
        const problem = fieldProblems(error)['file'] ?? describeProblem(error);
        if (!stop.signal.aborted) change(key, { problem, can_repeat: true });
      } finally {
        stops.current.delete(key);
      }
    },
    [change, sendFile],
  );
  const enqueue = useCallback(
    (key: number, file = files.current.get(key)) => {
      if (file === undefined) return;
      const stop = new AbortController();
      stops.current.set(key, stop);
      files.current.set(key, file);
      last.current = last.current.then(() => send(file, key, stop));
    },
    [send],
  );
  const forget = useCallback((key: number) => {
    stops.current.get(key)?.abort();
    files.current.delete(key);
  }, []);
  return { enqueue, forget };
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
  const { enqueue, forget } = useQueue(sendFile, change);

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

  return { uploads, add, again, remove, replace };
}
