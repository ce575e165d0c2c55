import { useEffect, useState } from 'react';
import { useCloseRequest } from '../../../ui/hooks/use-close-request.ts';
import { useCallReader } from '../state/call-reader.ts';
import { countNew, mayLackNew } from './count-new.ts';
import { useCallChat } from './use-call-chat.ts';
import { useFitsSide } from './use-fits-side.ts';

/**
 * Whether the chat is shown: beside the stage by default if there is room, otherwise over it when opened; and the
 * number of messages of others that arrived while it was hidden.
 * @param is_page whether the call has its own page, and not the small window, which has no chat
 */
export function useSide(join_code: string, inside: boolean, is_page: boolean) {
  const { id, client } = useCallReader();
  const is_wide = useFitsSide();
  const [chosen, setChosen] = useState<boolean>();
  const shown = chosen ?? is_wide;
  // Beside the stage it is not a layer.
  useCloseRequest(shown && is_page && !is_wide, () => setChosen(false));
  const chat = useCallChat(join_code, { enabled: inside, client });
  const { items, isSuccess: is_known, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = chat;
  const newest = is_known ? (items[0]?.id ?? '') : undefined;
  const [read_up_to, setRead] = useState<string>();
  const is_read = shown && is_page;
  // Messages from before the first look are not counted as new.
  useEffect(() => {
    if (newest !== undefined && (is_read || read_up_to === undefined)) setRead(newest);
  }, [is_read, newest, read_up_to]);
  // After a lost connection the list starts with one page, and may lack some of what is new.
  const is_cut = !is_read && hasNextPage && read_up_to !== undefined && mayLackNew(items, read_up_to);
  const asks = is_cut && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (asks) void fetchNextPage();
  }, [asks, fetchNextPage]);
  return {
    shown,
    unread_count: read_up_to === undefined ? 0 : countNew(items, read_up_to, id),
    toggle: () => setChosen(!shown),
  };
}
