import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { describeProblem, hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { activeCallQuery, callQuery } from '../../../data/queries/call-queries.ts';
import { forgetSources } from '../state/saved-sources.ts';
import { closeSession } from './call-session.ts';

/**
 * Leaves the call, or ends it for everybody; from its own page, goes home.
 * @param granted resolves once no grant request is pending: a later grant would put the reader back into the call
 */
export function useHangUp(join_code: string, is_page: boolean, granted: () => Promise<void>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (how: 'leave' | 'end') => {
      await granted();
      return how === 'end' ? sdk.calls.endCall() : sdk.calls.leaveCall({ path: { join_code } });
    },
    onError: (error) => {
      if (!hasCode(error, 'not_found')) showToast(describeProblem(error));
    },
    onSettled: async () => {
      queries.setQueryData(activeCallQuery.queryKey, null);
      // At once: a reload while the home page opens is no reload of the call.
      forgetSources();
      if (is_page) await navigate({ to: '/' });
      // Only now: the call's page would fetch the call and join again.
      closeSession();
      queries.removeQueries({ queryKey: callQuery(join_code).queryKey });
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
    },
  });
}
