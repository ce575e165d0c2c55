import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { meQuery, type Me } from '../../data/queries/me-query.ts';
import { i18n } from '../../i18n/i18n.ts';

type Changes = NonNullable<Input<'me', 'updateMe'>['body']>;
export type Switches = Pick<Changes, 'notifications' | 'push_text' | 'read_receipts' | 'last_seen'>;

const withSwitches = (me: Me, { notifications = {}, push_text, read_receipts, last_seen }: Switches): Me => ({
  ...me,
  notifications: { ...me.notifications, ...notifications },
  push_text: push_text ?? me.push_text,
  read_receipts: read_receipts ?? me.read_receipts,
  last_seen: last_seen ?? me.last_seen,
});

/** Switches one of the reader's settings; shown immediately, and reverted when the request fails. */
export function useToggleSetting() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Switches) => sdk.me.updateMe({ body }),
    onMutate: (changes) => {
      const before = queries.getQueryData(meQuery.queryKey);
      queries.setQueryData(meQuery.queryKey, (present) => present && withSwitches(present, changes));
      return before;
    },
    onError: (error, _body, before) => {
      queries.setQueryData(meQuery.queryKey, before);
      showToast(i18n.t('Couldn’t save. {problem}', { problem: describeProblem(error) }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
