import { useState } from 'react';
import { useMe } from '../me/me-query.ts';
import { keep, readKept } from './stored-texts.ts';

/** What somebody has written and not sent in a place; it is there still after a reload or a crash. */
export function useDraft(place: string): [text: string, setText: (text: string) => void] {
  const user_id = useMe()?.id ?? '';
  const name = `draft ${place}`;
  const [text, setText] = useState(() => {
    const kept = readKept(user_id, name);
    return typeof kept === 'string' ? kept : '';
  });
  return [
    text,
    (next) => {
      setText(next);
      keep(user_id, name, next === '' ? undefined : next);
    },
  ];
}
