import type { Asterism } from '@asterism/sdk';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useCallChat } from '../chat/use-call-chat.ts';

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
 * @param client the service as whoever reads: the account, unless told
 */
export function useSide(join_code: string, inside: boolean, client?: Asterism) {
  const is_wide = useIsWide();
  const [chosen, setChosen] = useState<boolean>();
  const shown = chosen ?? is_wide;
  const { items, isSuccess: is_known } = useCallChat(join_code, { enabled: inside, ...(client && { client }) });
  const newest = is_known ? (items[0]?.id ?? '') : undefined;
  const [read_up_to, setRead] = useState<string>();
  // What was written before one looked for the first time is no news.
  useEffect(() => {
    if (newest !== undefined && (shown || read_up_to === undefined)) setRead(newest);
  }, [shown, newest, read_up_to]);
  return {
    shown,
    unread_count: read_up_to === undefined ? 0 : items.filter(({ id }) => id > read_up_to).length,
    toggle: () => setChosen(!shown),
  };
}
