import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { contactsKey, type Contact } from '../../data/queries/contact-queries.ts';

/** Changes a contact in one step. @param done the text of the toast after it succeeded */
export function useContactMutation(work: (contact: Contact) => Promise<unknown>, done?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: () => (done === undefined ? undefined : showToast(done)),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () =>
      Promise.all([contactsKey, gridQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
