import { useMemo } from 'react';
import { useMe } from './queries/me-query.ts';
import { readStored, writeStored } from './storage/stored-texts.ts';

/** A text that is being written, and what stores it. */
export interface DraftText {
  /** The text with which the field begins. */
  readonly first: string;
  readonly onText: (text: string) => void;
}

/** Where the reply to a post, or the comment on a profile, is stored until it is sent. */
export const replyDraftName = (id: string): string => `draft answer ${id}`;

/** The draft of a field, which survives reloads and the end of a session. */
export function useDraftText(name: string): DraftText {
  const user_id = useMe()?.id;
  const first = useMemo(() => readFirst(user_id, name), [user_id, name]);
  return {
    first,
    onText: (text) => {
      if (user_id !== undefined) writeStored(user_id, name, text === '' ? undefined : text);
    },
  };
}

function readFirst(user_id: string | undefined, name: string): string {
  const stored = user_id === undefined ? undefined : readStored(user_id, name);
  return typeof stored === 'string' ? stored : '';
}
