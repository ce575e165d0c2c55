import type { Thread } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { cacheThread, refetchMessageCounts, threadQuery, threadsKey } from '../../data/queries/message-queries.ts';

/** Accepts or declines a request; if that was done elsewhere in the meantime, the thread is refetched. */
export function useAnswer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ thread, word }: { thread: Thread; word: 'accept' | 'decline' }) => {
      const path = { thread_id: thread.id };
      return word === 'accept' ? sdk.dm.acceptThread({ path }) : sdk.dm.declineThread({ path });
    },
    onSuccess: (thread) => cacheThread(queries, thread),
    onError: (error, { thread }) => {
      showToast(describeProblem(error));
      void queries.invalidateQueries({ queryKey: threadQuery(thread.id).queryKey });
      void queries.invalidateQueries({ queryKey: threadsKey });
    },
  });
}

/** Reports the reader's read position to the service. */
export function useRead(thread_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (up_to_id: string) => sdk.dm.readThread({ path: { thread_id }, body: { up_to_id } }),
    onSuccess: () => refetchMessageCounts(queries),
  });
}
