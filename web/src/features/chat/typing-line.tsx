import type { ChatMessage } from '@asterism/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useChatTyping, type TypingChat } from '../../data/stream.ts';
import { i18n } from '../../i18n/i18n.ts';
import { listNames } from '../../i18n/list-names.ts';

/** How long the indicator is shown after the last typing event. */
const SHOW_FOR_MS = 4_000;
/** A typing event may arrive after the message itself; within this time after the message it is ignored. */
const STALE_WITHIN_MS = 1_000;

const writerOf = (message: ChatMessage | undefined) => message?.author?.user?.id ?? message?.author?.guest?.id;

/** "Ada is typing…"; undefined when nobody is. */
export const describeTypists = (names: readonly string[]): string | undefined =>
  names.length === 0
    ? undefined
    : i18n.t('{count, plural, one {{names} is typing…} other {{names} are typing…}}', {
        count: names.length,
        names: listNames(names, 'comma'),
      });

/** "Ada is typing…" below the messages of a chat, and announced; empty when nobody is. */
export function TypingLine({ names }: { names: readonly string[] }) {
  return (
    <p className="typing-line" aria-live="polite">
      {describeTypists(names)}
    </p>
  );
}

/** The names of those typing in a chat. @param newest the newest message, whose author is no longer typing */
export function useTypists(place: TypingChat, user_id: string | undefined, newest: ChatMessage | undefined): string[] {
  const [typists, setTypists] = useState<Readonly<Record<string, string>>>({});
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const written = useRef<{ by: string | undefined; at_ms: number }>({ by: undefined, at_ms: 0 });
  const forget = useCallback(
    (who: string) => setTypists((known) => Object.fromEntries(Object.entries(known).filter(([id]) => id !== who))),
    [],
  );
  useChatTyping(
    place,
    useCallback(
      ({ id, name }: { id: string; name: string }) => {
        const { by, at_ms } = written.current;
        if (id === user_id || (id === by && Date.now() - at_ms < STALE_WITHIN_MS)) return;
        clearTimeout(timers.current.get(id));
        setTypists((known) => ({ ...known, [id]: name }));
        timers.current.set(id, setTimeout(forget, SHOW_FOR_MS, id));
      },
      [user_id, forget],
    ),
  );
  const author = writerOf(newest);
  useEffect(() => {
    if (author === undefined) return;
    written.current = { by: author, at_ms: Date.now() };
    forget(author);
  }, [newest?.id, author, forget]);
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach((timer) => clearTimeout(timer));
  }, []);
  return Object.values(typists);
}
