import type { QueryClient } from '@tanstack/react-query';
import { isSignedIn } from '../../asterism.ts';
import type { WorkerMessage } from '../../worker/sw.ts';
import { callQuery } from '../../data/queries/call-queries.ts';
import { notificationsKey, unreadQuery } from '../../data/queries/notification-queries.ts';

/**
 * Handles messages of the service worker: opens a page, or fetches the subject of a push that the stream did not
 * deliver.
 */
export function subscribeToWorker(queries: QueryClient, open: (path: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === 'open') return open(data.path);
    if (!isSignedIn()) return;
    const { join_code } = data.push;
    if (join_code !== undefined) {
      // A call that cannot be fetched now is no longer accessible to the reader.
      queries.fetchQuery({ ...callQuery(join_code), staleTime: 0 }).catch(() => undefined);
      return;
    }
    for (const queryKey of [notificationsKey, unreadQuery.queryKey]) void queries.invalidateQueries({ queryKey });
  });
}
