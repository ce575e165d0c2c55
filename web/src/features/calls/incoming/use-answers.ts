import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { isRefused } from '../../../data/cache.ts';
import { describeProblem, hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useOpenThread } from '../../../data/open-thread.ts';
import { enterCall, readSession } from '../session/call-session.ts';
import { activeCallQuery, callQuery, cacheCall, ownParticipant } from '../../../data/queries/call-queries.ts';
import { meQuery } from '../../../data/queries/me-query.ts';

/** Leaves the call of this window, and joins another. */
async function changeCall(join_code: string, camera: boolean): Promise<void> {
  const other = readSession();
  if (other === undefined) return;
  try {
    await sdk.calls.leaveCall({ path: { join_code: other.join_code } });
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
  }
  // Before the other call's page is left: without a session it would join its call again.
  enterCall(join_code, camera ? ['microphone', 'camera'] : ['microphone']);
}

/** The answers to an incoming call. */
export function useAnswers(call: Call) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const open = useOpenThread();
  const params = { joinCode: call.join_code };
  const decline = useMutation({
    mutationFn: () => sdk.calls.declineCall({ path: { join_code: call.join_code } }),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: (_answer, error) => {
      // It keeps ringing if the answer did not reach the service.
      if (error && !isRefused(error)) return;
      queries.removeQueries({ queryKey: callQuery(call.join_code).queryKey });
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
    },
  });
  const accept = useMutation({
    mutationFn: (camera: boolean) => changeCall(call.join_code, camera),
    onError: (error) => showToast(describeProblem(error)),
    onSuccess: async (_answer, camera) => {
      // Back leads to the page from before both calls, not to the one that was left.
      const replace = location.pathname.includes('/call/');
      // The card stays until the call's page replaces it, so that the page below is not seen in between.
      const search = { camera: camera ? ('on' as const) : undefined };
      await navigate({ to: '/call/$joinCode', params, search, replace });
      // Requesting the media grant answers the call, which the call's page does; here it is only silenced.
      const known = queries.getQueryData(callQuery(call.join_code).queryKey) ?? call;
      const own = ownParticipant(known, queries.getQueryData(meQuery.queryKey)?.id);
      const participants = known.participants.map((one) =>
        one.state === 'ringing' && one === own ? { ...one, state: 'joining' as const } : one,
      );
      cacheCall(queries, { ...known, participants });
    },
  });
  return {
    decline,
    accept,
    /** Opens the lobby first. */
    lookFirst: () => void navigate({ to: '/j/$joinCode', params }),
    /** Declines, and opens the chat with the caller. */
    writeInstead: () => {
      decline.mutate();
      open.mutate({ user_id: call.host.id });
    },
  };
}
