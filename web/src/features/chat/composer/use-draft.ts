import { useMemo, useState, useSyncExternalStore } from 'react';
import { useMe } from '../../../data/queries/me-query.ts';
import { onStored, writeStored, readStored } from '../../../data/storage/stored-texts.ts';
import { filesName, readAttached } from '../../files/attached-files.ts';
import type { AttachedFile } from '../../files/attached-files.ts';
import type { ShownMessage } from '../chat-message.ts';

/** Where the message that is replied to in a place is stored. */
export const replyName = (place: string): string => `reply ${place}`;

/** Where the unsent text of a place is stored. */
export const draftName = (place: string): string => `draft ${place}`;

function readDraft(user_id: string, name: string): string {
  const kept = readStored(user_id, name);
  return typeof kept === 'string' ? kept : '';
}

/** What waits in the composer of a place. */
export interface WaitingDraft {
  readonly text: string;
  readonly files: readonly AttachedFile[];
  /** The message that is replied to. */
  readonly reply: ShownMessage | undefined;
}

/** What is stored under a name, as text: as it was at the last rendering, or as another window has changed it. */
function useStoredText(user_id: string, name: string): string | undefined {
  return useSyncExternalStore(
    (listener) => onStored(user_id, name, listener),
    () => JSON.stringify(readStored(user_id, name)),
  );
}

/** What waits in the composer of a place: its text, its files, and the message that is replied to. */
export function useWaitingDraft(place: string): WaitingDraft {
  const user_id = useMe()?.id ?? '';
  const stored = [
    useStoredText(user_id, draftName(place)),
    useStoredText(user_id, filesName(place)),
    useStoredText(user_id, replyName(place)),
  ] as const;
  return useMemo(
    () => ({
      text: readDraft(user_id, draftName(place)),
      files: readAttached(user_id, place),
      reply: readStored(user_id, replyName(place)) as ShownMessage | undefined,
    }),
    [user_id, place, ...stored],
  );
}

/** The unsent text of a place, which survives reloads and crashes. */
export function useDraft(place: string): [text: string, setText: (text: string) => void] {
  const user_id = useMe()?.id ?? '';
  const name = draftName(place);
  const [text, setText] = useState(() => readDraft(user_id, name));
  return [
    text,
    (next) => {
      setText(next);
      writeStored(user_id, name, next === '' ? undefined : next);
    },
  ];
}
