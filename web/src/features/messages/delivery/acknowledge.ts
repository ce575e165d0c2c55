import type { RealtimeStream, Thread } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import type { List } from '../../../data/lists.ts';
import { threadQuery, threadsKey } from '../../../data/queries/message-queries.ts';
import { createConfirmations } from './confirmations.ts';

const GATHER_MS = 700;

/** Acknowledges delivery of direct messages to this device, from the stream and from fetched lists. */
export function acknowledgeMessages(stream: RealtimeStream, queries: QueryClient): () => void {
  const { note, end } = createConfirmations({
    gather_ms: GATHER_MS,
    isRead: (thread_id, up_to_id) =>
      (queries.getQueryData(threadQuery(thread_id).queryKey)?.read_up_to ?? '') >= up_to_id,
    send: (thread_id, up_to_id) => sdk.dm.markThreadDelivered({ path: { thread_id }, body: { up_to_id } }),
  });
  const noteThread = ({ id, state, peer, last_message, read_up_to, delivered_up_to }: Thread) => {
    if (state !== 'active' || last_message === null || last_message.sender.id !== peer.id) return;
    if ((read_up_to ?? '') < last_message.id && (delivered_up_to ?? '') < last_message.id) note(id, last_message.id);
  };
  stream.on('dm.message', ({ data }) => {
    if (data.unread_count > 0) note(data.thread_id, data.message.id);
  });
  stream.on('chat.message', ({ data: { group_id, message } }) => {
    if (group_id === undefined) return;
    void import('./acknowledge-groups.ts').then((groups) =>
      groups.acknowledgeGroupMessage(stream, queries, group_id, message),
    );
  });
  const unsubscribe = queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== threadsKey[0] || query.queryKey[1] === 'requests') return;
    const list = query.state.data as List<Thread> | undefined;
    for (const page of list?.pages ?? []) for (const thread of page.items) noteThread(thread);
  });
  return () => {
    end();
    unsubscribe();
  };
}
