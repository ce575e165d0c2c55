import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { isRefused } from '../../../queries.ts';
import { describeProblem, hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useOpenThread } from '../../messages/message-mutations.ts';
import { enterCall, readSession } from '../session/call-session.ts';
import { activeCallQuery, callQuery, cacheCall, placeIn } from '../state/call-queries.ts';
import { meQuery } from '../../me/me-query.ts';

/** Leaves the call that this window is in, and enters another in its place. */
async function changeCall(join_code: string, camera: boolean): Promise<void> {
  const other = readSession();
  if (other === undefined) return;
  try {
    await sdk.calls.leaveCall({ path: { join_code: other.join_code } });
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
  }
  // Before the page of the other call is left: without a session it would come into its call again.
  enterCall(join_code, camera ? ['microphone', 'camera'] : ['microphone']);
}

/** The answers to a call that rings. */
export function useAnswers(call: Call) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const open = useOpenThread();
  const params = { joinCode: call.join_code };
  const decline = useMutation({
    mutationFn: () => sdk.calls.declineCall({ path: { join_code: call.join_code } }),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: (_answer, error) => {
      // It rings on where nobody heard of the answer.
      if (error && !isRefused(error)) return;
      queries.removeQueries({ queryKey: callQuery(call.join_code).queryKey });
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
    },
  });
  const accept = useMutation({
    mutationFn: (camera: boolean) => changeCall(call.join_code, camera),
    onError: (error) => showToast(describeProblem(error)),
    onSuccess: (_answer, camera) => {
      // The ring is answered by asking for the media grant, which the call's page does; here it only falls silent.
      const own = placeIn(call, queries.getQueryData(meQuery.queryKey)?.id);
      const participants = call.participants.map((one) =>
        one.state === 'ringing' && one === own ? { ...one, state: 'joining' as const } : one,
      );
      cacheCall(queries, { ...call, participants });
      // Going back leads to what was open before both calls, and not to one that was left.
      const replace = location.pathname.includes('/call/');
      void navigate({ to: '/call/$joinCode', params, search: { camera: camera ? 'on' : undefined }, replace });
    },
  });
  return {
    decline,
    accept,
    /** Goes to the page where one sees oneself before the others do. */
    lookFirst: () => void navigate({ to: '/j/$joinCode', params }),
    /** Declines, and opens the chat with whoever calls. */
    writeInstead: () => {
      decline.mutate();
      open.mutate({ user_id: call.host.id });
    },
  };
}
