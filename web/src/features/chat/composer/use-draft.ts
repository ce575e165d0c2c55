import { useState } from 'react';
import { useMe } from '../../../data/queries/me-query.ts';
import { writeStored, readStored } from '../../../data/stored-texts.ts';

/** Where the unsent text of a place is stored. */
export const draftName = (place: string): string => `draft ${place}`;

/** The unsent text of a place, which survives reloads and crashes. */
export function useDraft(place: string): [text: string, setText: (text: string) => void] {
  const user_id = useMe()?.id ?? '';
  const name = draftName(place);
  const [text, setText] = useState(() => {
    const kept = readStored(user_id, name);
    return typeof kept === 'string' ? kept : '';
  });
  return [
    text,
    (next) => {
      setText(next);
      writeStored(user_id, name, next === '' ? undefined : next);
    },
  ];
}
