import { useState, useSyncExternalStore } from 'react';
import { useMe } from '../../../data/queries/me-query.ts';
import { onStored, writeStored, readStored } from '../../../data/stored-texts.ts';

/** Where the unsent text of a place is stored. */
export const draftName = (place: string): string => `draft ${place}`;

function readDraft(user_id: string, name: string): string {
  const kept = readStored(user_id, name);
  return typeof kept === 'string' ? kept : '';
}

/** The unsent text of a place as it was when the component was last rendered, or as another window has changed it. */
export function useStoredDraft(place: string): string {
  const user_id = useMe()?.id ?? '';
  const name = draftName(place);
  return useSyncExternalStore(
    (listener) => onStored(user_id, name, listener),
    () => readDraft(user_id, name),
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
