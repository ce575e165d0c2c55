import type { Asterism } from '@asterism/sdk';
import { useEffect, useState } from 'react';
import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';
import { useCallChat } from './use-call-chat.ts';

/** Whether there is room for the chat beside the stage. */
export const useSideRoom = (): boolean => useMediaQuery('(min-width: 900px)');

/**
 * Whether the chat is shown: beside the stage by default if there is room, otherwise over it when opened; and the
 * number of messages that arrived while it was hidden.
 * @param client the SDK client: the account's by default
 */
export function useSide(join_code: string, inside: boolean, client?: Asterism) {
  const is_wide = useSideRoom();
  const [chosen, setChosen] = useState<boolean>();
  const shown = chosen ?? is_wide;
  const { items, isSuccess: is_known } = useCallChat(join_code, { enabled: inside, ...(client && { client }) });
  const newest = is_known ? (items[0]?.id ?? '') : undefined;
  const [read_up_to, setRead] = useState<string>();
  // Messages from before the first look are not counted as new.
  useEffect(() => {
    if (newest !== undefined && (shown || read_up_to === undefined)) setRead(newest);
  }, [shown, newest, read_up_to]);
  return {
    shown,
    unread_count: read_up_to === undefined ? 0 : items.filter(({ id }) => id > read_up_to).length,
    toggle: () => setChosen(!shown),
  };
}
