import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import type { PendingWork } from '../../data/pending-states.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { changeStatus } from './status-cache.ts';
import { showLike } from './status-mutations.ts';

/** How likes are shown and sent. */
export function workOf(queries: QueryClient): PendingWork {
  return {
    show: ({ id, on }) => showLike(queries, id, on),
    async send({ id: post_id, on }) {
      const path = { post_id };
      const { liked, like_count } = on
        ? await sdk.statuses.likeStatus({ path })
        : await sdk.statuses.unlikeStatus({ path });
      return () => changeStatus(queries, post_id, (status) => ({ ...status, liked, like_count }));
    },
    revert({ id, about }, error) {
      const was_liked = about === true;
      showLike(queries, id, was_liked);
      const problem = describeProblem(error);
      showToast(
        was_liked
          ? i18n.t('Couldn’t remove the like. {problem}', { problem })
          : i18n.t('Couldn’t like the post. {problem}', { problem }),
      );
    },
  };
}
