import { useEffect, useState } from 'react';

/**
 * Marks shown messages as read while the page is visible.
 * @param mark reports this to the service; must be a stable function
 */
export function useMarkRead(newest_id: string | undefined, is_unread: boolean, mark: (up_to_id: string) => void): void {
  const [is_looked_at, setLookedAt] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setLookedAt(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (newest_id !== undefined && is_unread && is_looked_at) mark(newest_id);
  }, [newest_id, is_unread, is_looked_at, mark]);
}
