import { useState } from 'react';
import { useMe } from './queries/me-query.ts';
import { readStored, writeStored } from './stored-texts.ts';

/** A text that is being written, and how a field keeps it. */
export interface KeptText {
  readonly first: string;
  readonly onText: (text: string) => void;
}

/** Where the answer to something is stored while it is being written: like a draft, until it is sent. */
export const answerName = (id: string): string => `draft answer ${id}`;

/** The text of a field, which survives reloads and the end of a session. */
export function useKeptText(name: string): KeptText {
  const user_id = useMe()?.id;
  const [read, setRead] = useState<{ of: string | undefined; first: string }>();
  const of = user_id === undefined ? undefined : `${user_id} ${name}`;
  const current = read !== undefined && read.of === of ? read : { of, first: readFirst(user_id, name) };
  if (current !== read) setRead(current);
  return {
    first: current.first,
    onText: (text) => {
      if (user_id !== undefined) writeStored(user_id, name, text === '' ? undefined : text);
    },
  };
}

function readFirst(user_id: string | undefined, name: string): string {
  const kept = user_id === undefined ? undefined : readStored(user_id, name);
  return typeof kept === 'string' ? kept : '';
}
