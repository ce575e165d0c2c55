import type { Person } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { insertItem, removeItem } from '../../lists.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import type { Reply } from '@asterism/sdk';
import { i18n } from '../../i18n/i18n.ts';
import { waitingKey } from '../statuses/status-cache.ts';

export type Block = Reply<'blocks', 'listBlocks'>['items'][number];

/** All queries that show people: a block changes their results. */
const TOUCHED = [
  'feed',
  'feed-waiting',
  'replies',
  'profile',
  'comments',
  'status',
  'tag-search',
  'follows',
  'followers',
];
const TOUCHED_TOO = [
  'follow-requests',
  'follow-request-count',
  'notifications',
  'unread-count',
  'tag',
  'tag-followers',
  'threads',
  'thread',
  'thread-chat',
  'dm-count',
];

function refetch(queries: QueryClient): Promise<unknown> {
  queries.removeQueries({ queryKey: waitingKey });
  return Promise.all([...TOUCHED, ...TOUCHED_TOO].map((key) => queries.invalidateQueries({ queryKey: [key] })));
}

/** Blocks somebody, and removes each other's content from every page. */
export function useBlock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (person: Person) => sdk.blocks.createBlock({ body: { user_id: person.id } }),
    onSuccess: async (block, person) => {
      insertItem(queries, ['blocks'], block);
      showToast(i18n.t('{name} is blocked. They are not told.', { name: nameOf(person) }));
      await refetch(queries);
    },
    onError: (error, person) =>
      showToast(i18n.t('{name} is not blocked: {problem}', { name: nameOf(person), problem: describeProblem(error) })),
  });
}

/** Unblocks somebody; what the block ended is not restored. */
export function useUnblock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (block: Block) => sdk.blocks.deleteBlock({ path: { blocked_user_id: block.user.id } }),
    onMutate: (block) => removeItem(queries, ['blocks'], block.id),
    onSuccess: () => refetch(queries),
    onError: (error, block) => {
      insertItem(queries, ['blocks'], block);
      showToast(
        i18n.t('{name} is still blocked: {problem}', { name: nameOf(block.user), problem: describeProblem(error) }),
      );
    },
  });
}
