import { useEffect, useRef, useState } from 'react';
import { summarise } from '../formatting/summarise.ts';
import type { ShownMessage } from '../chat-message.ts';

/** How long a text remains in the live region. */
const STAND_FOR_MS = 1_000;

/**
 * The message that somebody else has just written, for a live region.
 * @param newest of the messages, undefined before there is one
 */
export function useAnnounced(newest: ShownMessage | undefined): string {
  const [words, say] = useState('');
  // Messages that exist when the chat is opened are not announced.
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
