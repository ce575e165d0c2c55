import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Input } from '@asterism/sdk';
import { sdk } from '../../../asterism.ts';
import { describeProblem, hasCode } from '../../../ui/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { activeCallQuery, keepCall } from './call-queries.ts';
import { readChoices } from './kept-choices.ts';

export type Targets = Input<'calls', 'startCall'>['body']['to'];

/** Rings the targets (none makes an empty room) and goes to the call, with the camera on if it was the last time. */
export function useStartCall() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (to: Targets) => sdk.calls.startCall({ body: { to, media: 'video' } }),
    onSuccess: (call) => {
      keepCall(queries, call);
      const camera = readChoices().camera ? ('on' as const) : undefined;
      void navigate({ to: '/call/$joinCode', params: { joinCode: call.join_code }, search: { camera } });
    },
    onError: (error) => {
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
      showToast(
        hasCode(error, 'call_in_progress') ? 'You are in another call. Leave it first.' : describeProblem(error),
      );
    },
  });
}
