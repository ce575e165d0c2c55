import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Call, Input } from '@asterism/sdk';
import { sdk } from '../asterism.ts';
import { describeProblem, hasCode } from '../ui/problems/problem.ts';
import { showToast } from '../ui/overlay/toast.tsx';
import { activeCallQuery, cacheCall } from './queries/call-queries.ts';
import { readChoices } from '../media/saved-choices.ts';
import { i18n } from '../i18n/i18n.ts';

export type Targets = Input<'calls', 'startCall'>['body']['to'];

/**
 * Starts a call with the targets and opens it. Without targets it is an empty room, which can be joined by its link.
 * @param kind whether the camera is on; by default as the last time
 */
export function useStartCall(kind?: Call['media']) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const media = kind ?? (readChoices().camera ? 'video' : 'audio');
  return useMutation({
    mutationFn: (to: Targets) =>
      sdk.calls.startCall({ body: { to, media, ...(to.length === 0 ? { privacy: 'public' as const } : {}) } }),
    onSuccess: (call) => {
      cacheCall(queries, call);
      const camera = media === 'video' ? ('on' as const) : undefined;
      void navigate({ to: '/call/$joinCode', params: { joinCode: call.join_code }, search: { camera } });
    },
    onError: (error) => {
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
      showToast(
        hasCode(error, 'call_in_progress')
          ? i18n.t('You are in another call. Leave it first.')
          : describeProblem(error),
      );
    },
  });
}
