import type { Person } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { insertItem, removeItem } from '../../data/lists.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import type { Reply } from '@asterism/sdk';
import { i18n } from '../../i18n/i18n.ts';
import { followRequestsKey, followersKey, followsKey, requestCountKey } from '../../data/queries/follow-queries.ts';
import { allMessagesKey, dmCountQuery, threadKey, threadsKey } from '../../data/queries/message-queries.ts';
import { notificationsKey, unreadQuery } from '../../data/queries/notification-queries.ts';
import { allCommentsKey, profileKey } from '../../data/queries/profile-queries.ts';
import { allRepliesKey, feedKey, statusesKey, queuedStatusesKey } from '../../data/queries/status-queries.ts';
import { tagFollowersKey, tagKey, tagSearchKey } from '../../data/queries/tag-queries.ts';
import { blocksKey } from './block-queries.ts';

export type Block = Reply<'blocks', 'listBlocks'>['items'][number];

/** All queries that show people: a block changes their results. */
const TOUCHED = [
  feedKey,
  queuedStatusesKey,
  allRepliesKey,
  profileKey,
  allCommentsKey,
  statusesKey,
  tagSearchKey,
  followsKey,
  followersKey,
  followRequestsKey,
  requestCountKey,
  notificationsKey,
  unreadQuery.queryKey,
  tagKey,
  tagFollowersKey,
  threadsKey,
  threadKey,
  allMessagesKey,
  dmCountQuery.queryKey,
];

function refetch(queries: QueryClient): Promise<unknown> {
  queries.removeQueries({ queryKey: queuedStatusesKey });
  return Promise.all(TOUCHED.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Blocks somebody, and removes each other's content from every page. */
export function useBlock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (person: Person) => sdk.blocks.createBlock({ body: { user_id: person.id } }),
    onSuccess: async (block, person) => {
      insertItem(queries, blocksKey, block);
      showToast(i18n.t('{name} is blocked. They won’t be notified.', { name: nameOf(person) }));
      await refetch(queries);
    },
    onError: (error, person) =>
      showToast(i18n.t('Couldn’t block {name}. {problem}', { name: nameOf(person), problem: describeProblem(error) })),
  });
}

/** Unblocks somebody; what the block ended is not restored. */
export function useUnblock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (block: Block) => sdk.blocks.deleteBlock({ path: { blocked_user_id: block.user.id } }),
    onMutate: (block) => removeItem(queries, blocksKey, block.id),
    onSuccess: () => refetch(queries),
    onError: (error, block) => {
      insertItem(queries, blocksKey, block);
      showToast(
        i18n.t('Couldn’t unblock {name}. {problem}', { name: nameOf(block.user), problem: describeProblem(error) }),
      );
    },
  });
}
