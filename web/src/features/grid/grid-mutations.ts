import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { cacheCall } from '../../data/queries/call-queries.ts';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Calls all favourites, and changes who they are and their order. */
export function useGridMutations() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const settle = () => queries.invalidateQueries({ queryKey: gridQuery.queryKey });
  const onError = (error: unknown) =>
    showToast(
      hasCode(error, 'call_in_progress') ? i18n.t('You are in another call. Leave it first.') : describeProblem(error),
    );
  const callAll = useMutation({
    mutationFn: () => sdk.grid.callGrid({ body: { media: 'video' } }),
    onSuccess: (call) => {
      cacheCall(queries, call);
      void navigate({ to: '/call/$joinCode', params: { joinCode: call.join_code } });
    },
    onError,
    onSettled: settle,
  });
  const end = useMutation({ mutationFn: () => sdk.grid.endGridCall(), onError, onSettled: settle });
  const ringAgain = useMutation({
    mutationFn: (contact_id: string) => sdk.calls.addParticipants({ body: { to: [{ contact_id }] } }),
    onError,
    onSettled: settle,
  });
  const move = useMutation({
    mutationFn: (body: { contact_id: string; position: number }) => sdk.grid.addToGrid({ body }),
    onError,
    onSettled: settle,
  });
  const remove = useMutation({
    mutationFn: (contact_id: string) => sdk.grid.removeFromGrid({ path: { contact_id } }),
    onError,
    onSettled: settle,
  });
  return { callAll, end, ringAgain, move, remove };
}
