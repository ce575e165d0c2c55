import { useCallback, useEffect, useRef } from 'react';

/**
 * Marks what was in sight as read while the page is visible, so that senders are told of nothing that was not.
 * @param mark reports this to the service; must also work once the chat has been left
 * @returns receives the newest message in sight, for the list; a stable function
 */
export function useMarkRead(is_unread: boolean, mark: (up_to_id: string) => void): (message_id: string) => void {
  const seen_id = useRef('');
  const latest = useRef({ is_unread, mark });
  latest.current = { is_unread, mark };
  const markSeen = useCallback(() => {
    const { current } = latest;
    if (seen_id.current !== '' && current.is_unread && document.visibilityState === 'visible')
      current.mark(seen_id.current);
  }, []);
  useEffect(() => {
    document.addEventListener('visibilitychange', markSeen);
    return () => document.removeEventListener('visibilitychange', markSeen);
  }, [markSeen]);
  useEffect(markSeen, [markSeen, is_unread]);
  return useCallback(
    (message_id) => {
      // Identifiers sort by time.
      if (message_id <= seen_id.current) return;
      seen_id.current = message_id;
      markSeen();
    },
    [markSeen],
  );
}
