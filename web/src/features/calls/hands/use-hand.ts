import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useCallReader } from '../state/call-reader.ts';

/** The call in which the reader has raised their hand here, and has not lowered it. */
let raised_in: string | undefined;

/** Whether the reader has raised their hand in a call here and has not lowered it: if it is lowered, a host did it. */
export const hasRaisedHere = (join_code: string): boolean => raised_in === join_code;

/** Raises and lowers hands: the reader's own, and for hosts others', by their identifier. */
export function useHand(join_code: string) {
  const queries = useQueryClient();
  const { client, keep } = useCallReader();
  return useMutation({
    mutationFn: (body: { raised: boolean; participant_id?: string }) =>
      client.calls.setHand({ path: { join_code }, body }),
    onMutate: ({ raised, participant_id }) => {
      if (participant_id === undefined) raised_in = raised ? join_code : undefined;
    },
    onSuccess: (call) => keep(queries, call),
    onError: (error) => showToast(describeProblem(error)),
  });
}
