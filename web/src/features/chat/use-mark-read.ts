import { useCallback, useEffect, useState } from 'react';

/**
 * Marks what was in sight as read while the page is visible, so that senders are told of nothing that was not.
 * @param mark reports this to the service; must be a stable function
 * @returns receives the newest message in sight, for the list
 */
export function useMarkRead(is_unread: boolean, mark: (up_to_id: string) => void): (message_id: string) => void {
  const [seen_id, setSeen] = useState('');
  const [is_looked_at, setLookedAt] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setLookedAt(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (seen_id !== '' && is_unread && is_looked_at) mark(seen_id);
  }, [seen_id, is_unread, is_looked_at, mark]);
  // Identifiers sort by time.
  return useCallback((message_id) => setSeen((before) => (message_id > before ? message_id : before)), []);
}
