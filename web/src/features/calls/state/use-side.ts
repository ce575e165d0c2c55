import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { chatQuery } from '../chat/chat-queries.ts';

const wide = matchMedia('(min-width: 860px)');

function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}

/**
 * Whether the chat is shown: beside the stage from the beginning where there is room, over it when asked for where there
 * is none; and how many messages came while it was not.
 */
export function useSide(join_code: string, inside: boolean) {
  const is_wide = useIsWide();
  const [chosen, setChosen] = useState<boolean>();
  const shown = chosen ?? is_wide;
  const count = useQuery({ ...chatQuery(join_code), enabled: inside }).data?.length;
  const [read, setRead] = useState<number>();
  // What was written before one looked for the first time is no news.
  const seen = read ?? count;
  useEffect(() => {
    if (count !== undefined && (shown || read === undefined)) setRead(count);
  }, [shown, count, read]);
  return {
    shown,
    unread_count: count === undefined || seen === undefined ? 0 : Math.max(0, count - seen),
    toggle: () => setChosen(!shown),
  };
}
