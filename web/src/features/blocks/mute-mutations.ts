import type { Person, Reply } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { i18n } from '../../i18n/i18n.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { personKey } from '../../data/queries/person-queries.ts';
import { notificationsKey, unreadQuery } from '../../data/queries/notification-queries.ts';
import { feedKey, queuedStatusesKey } from '../../data/queries/status-queries.ts';
import { mutesKey } from './block-queries.ts';

export type Mute = Reply<'mutes', 'listMutes'>['items'][number];

/** The queries that a mute affects. */
const TOUCHED = [mutesKey, feedKey, notificationsKey, unreadQuery.queryKey, personKey];

function refetch(queries: QueryClient): Promise<unknown> {
  queries.removeQueries({ queryKey: queuedStatusesKey });
  return Promise.all(TOUCHED.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

const put = (person: Person) => sdk.mutes.mutePerson({ path: { user_id: person.id } });
const remove = (person: Person) => sdk.mutes.unmutePerson({ path: { user_id: person.id } });

/** Unmutes somebody. */
export function useUnmute() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: (_, person) => {
      showToast(i18n.t('{name} is no longer muted.', { name: nameOf(person) }));
      return refetch(queries);
    },
    onError: (error, person) =>
      showToast(i18n.t('Couldn’t unmute {name}. {problem}', { name: nameOf(person), problem: describeProblem(error) })),
  });
}

/** Mutes somebody, without notifying them; the toast offers to undo it. */
export function useMute() {
  const queries = useQueryClient();
  const unmute = useUnmute();
  return useMutation({
    mutationFn: put,
    onSuccess: (_, person) => {
      showToast(i18n.t('{name} is muted. They won’t be notified.', { name: nameOf(person) }), {
        undo: () => unmute.mutate(person),
      });
      return refetch(queries);
    },
    onError: (error, person) =>
      showToast(i18n.t('Couldn’t mute {name}. {problem}', { name: nameOf(person), problem: describeProblem(error) })),
  });
}
