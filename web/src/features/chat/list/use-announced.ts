import { useEffect, useRef, useState } from 'react';
import { summarise } from '../chat-message.ts';
import type { ShownMessage } from '../chat-message.ts';

/** How long words stand where screen readers find them. */
const STAND_FOR_MS = 1_000;

/** What somebody else has just written, for those who hear the page. @param newest of the messages, undefined before there is one */
export function useAnnounced(newest: ShownMessage | undefined): string {
  const [words, say] = useState('');
  // What is there already when the chat is opened is read, and not announced.
  const known = useRef(newest?.created_at ?? new Date().toISOString());
  useEffect(() => {
    if (newest === undefined || newest.created_at <= known.current) return;
    known.current = newest.created_at;
    if (newest.mine || newest.by === undefined) return;
    say(`${newest.by.name}: ${summarise(newest)}`);
    const timer = setTimeout(say, STAND_FOR_MS, '');
    return () => clearTimeout(timer);
  }, [newest]);
  return words;
}
