import { useState } from 'react';
import { useMe } from '../../data/queries/me-query.ts';
import { writeStored, readStored } from '../../data/stored-texts.ts';

const nameOf = (place: string): string => `draft ${place}`;

/** Adds a text to the unsent text of a place, for the next time it is opened. */
export function addToDraft(user_id: string, place: string, text: string): void {
  const kept = readStored(user_id, nameOf(place));
  const before = typeof kept === 'string' && kept !== '' ? `${kept}\n` : '';
  if (text !== '') writeStored(user_id, nameOf(place), `${before}${text}`);
}

/** The unsent text of a place, which survives reloads and crashes. */
export function useDraft(place: string): [text: string, setText: (text: string) => void] {
  const user_id = useMe()?.id ?? '';
  const name = nameOf(place);
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
