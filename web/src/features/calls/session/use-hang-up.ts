import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { describeProblem, hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { activeCallQuery, callQuery } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { forgetSources, saveSources } from '../state/saved-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import { closeSession } from './call-session.ts';

interface HangUpOptions {
  join_code: string;
  is_page: boolean;
  /** Resolves once no grant request is pending: a later grant would put the reader back into the call. */
  granted: () => Promise<void>;
  /** The sources that are on, and will be again if leaving is undone. */
  listWanted: () => readonly Source[];
}

/**
 * Leaves the call, which can be undone, or ends it for everybody; from its own page, goes home.
 */
export function useHangUp({ join_code, is_page, granted, listWanted }: HangUpOptions) {
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
    onSettled: async (_answer, error, how) => {
      const sources = listWanted();
      queries.setQueryData(activeCallQuery.queryKey, null);
      // At once: a reload while the home page opens is no reload of the call.
      forgetSources();
      if (is_page) await navigate({ to: '/' });
      if (how === 'leave' && error === null) {
        const undo = () => {
          saveSources(join_code, sources);
          void navigate({ to: '/call/$joinCode', params: { joinCode: join_code } });
        };
        showToast(i18n.t('You left the call.'), { undo });
      }
      // Only now: the call's page would fetch the call and join again.
      closeSession();
      queries.removeQueries({ queryKey: callQuery(join_code).queryKey });
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
    },
  });
}
