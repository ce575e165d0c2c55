import type { Reply } from '@asterism/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useList } from '../lists.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';

export type Group = Reply<'groups', 'getGroup'>;
export type GroupMember = Group['members'][number];
export type GroupInvite = Reply<'groups', 'listGroupInvites'>['items'][number];

export const groupsKey = ['groups'] as const;
export const groupKey = ['group'] as const;
export const groupInvitesKey = ['group-invites'] as const;

/** One group with all of its members. */
export const groupQuery = (group_id: string) =>
  queryOptions({
    queryKey: [...groupKey, group_id],
    queryFn: ({ signal }) => sdk.groups.getGroup({ path: { group_id }, signal }),
  });

/** The reader's pending invites. */
export function useGroupInvites() {
  return useList<GroupInvite>({
    queryKey: groupInvitesKey,
    load: (query, signal) => sdk.groups.listGroupInvites({ query, signal }),
  });
}

/** Refetches cached groups and invites. */
export function refetchGroups(queries: QueryClient): Promise<unknown> {
  return Promise.all([groupsKey, groupKey, groupInvitesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** An action on a group. Shows its result or error in a toast, and refetches groups. */
export function useGroupMutation<T>(work: (what: T) => Promise<unknown>, wordsOf?: (what: T) => string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: (_, what) => (wordsOf === undefined ? undefined : showToast(wordsOf(what))),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => refetchGroups(queries),
  });
}
