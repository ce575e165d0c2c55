import { useEffect, useState } from 'react';

/** Marks what is shown as read while the page is looked at. @param mark tells the service, and is the same at every call */
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
