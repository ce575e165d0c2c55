import type { Reply } from '@asterism/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { groupKey, groupQuery, groupsKey } from '../../data/queries/group-queries.ts';
import type { Group } from '../../data/queries/group-queries.ts';
import { openGroupQuery } from '../../data/queries/open-group-query.ts';
import type { PublicGroup } from '../../data/queries/open-group-query.ts';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';

type GroupLink = Reply<'groupLinks', 'getGroupLink'>;

/** The invite link of a group, for its owner and admins; null while it has none. Events about the group refetch it. */
export const groupLinkQuery = (group_id: string) =>
  queryOptions({
    queryKey: [...groupKey, group_id, 'link'],
    queryFn: async ({ signal }): Promise<GroupLink | null> => {
      try {
        return await sdk.groupLinks.getGroupLink({ path: { group_id }, signal });
      } catch (error) {
        if (hasCode(error, 'not_found') || hasCode(error, 'forbidden')) return null;
        throw error;
      }
    },
    // Whoever has the address can join: it is not stored on the device.
    meta: { is_persisted: false },
  });

/** Creates or revokes the invite link of a group. */
export function useGroupLink(group_id: string) {
  const queries = useQueryClient();
  const { queryKey } = groupLinkQuery(group_id);
  const onError = (error: Error) => {
    showToast(describeProblem(error));
    void queries.invalidateQueries({ queryKey });
  };
  const create = useMutation({
    mutationFn: () => sdk.groupLinks.setGroupLink({ path: { group_id } }),
    onSuccess: (link) => queries.setQueryData(queryKey, link),
    onError,
  });
  const revoke = useMutation({
    mutationFn: () => sdk.groupLinks.deleteGroupLink({ path: { group_id } }),
    onSuccess: () => {
      queries.setQueryData(queryKey, null);
      showToast(i18n.t('Link revoked.'));
    },
    onError,
  });
  return { create, revoke };
}

/** Whether the reader is in a group already. */
export const isInGroupQuery = (token: string, { id }: PublicGroup) =>
  queryOptions({
    queryKey: [...openGroupQuery(token).queryKey, 'is-in'],
    queryFn: async ({ signal }): Promise<boolean> => {
      try {
        await sdk.groups.getGroup({ path: { group_id: id }, signal });
        return true;
      } catch (error) {
        if (hasCode(error, 'not_found')) return false;
        throw error;
      }
    },
  });

/** Joins a group by its link; for a member nothing changes. */
export function useJoinGroup(token: string, onJoined: (group: Group) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => sdk.groupLinks.joinGroupByLink({ path: { token } }),
    onSuccess: (group) => {
      queries.setQueryData(groupQuery(group.id).queryKey, group);
      void queries.invalidateQueries({ queryKey: groupsKey });
      onJoined(group);
    },
    // The page says that the link was revoked meanwhile.
    onSettled: () => queries.invalidateQueries({ queryKey: openGroupQuery(token).queryKey }),
  });
}
