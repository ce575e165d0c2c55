import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../asterism.ts';
import { describeProblem } from '../ui/problems/problem.ts';
import { showToast } from '../ui/overlay/toast.tsx';
import { cacheThread } from './queries/message-queries.ts';

/** Opens the thread with a person and navigates to it. */
export function useOpenThread() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (whom: Input<'dm', 'openThread'>['body']) => sdk.dm.openThread({ body: whom }),
    onSuccess: (thread) => {
      cacheThread(queries, thread);
      void navigate({ to: '/messages/$threadId', params: { threadId: thread.id } });
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}
