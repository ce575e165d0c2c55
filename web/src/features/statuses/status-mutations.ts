import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { Input, Status } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { useSetPending } from '../../data/pending-context.ts';
import { insertItem, removeItem } from '../../data/lists.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import type { Me } from '../../data/queries/me-query.ts';
import { cacheReply, dropReply } from './reply-cache.ts';
import { changeStatus, dropStatus, cacheStatus, type StatusReply } from './status-cache.ts';
import { feedKey, postStatusKey, statusKey } from '../../data/queries/status-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** A status before it is posted. */
export interface Draft {
  readonly body: string;
  readonly tag: Status['tag'];
  readonly visibility: Status['visibility'];
  readonly media: Status['media'];
}

let next_sending = 1;

function sendingStatus(draft: Draft, me: Me): Status {
  next_sending += 1;
  return {
    ...draft,
    // Sorts after every identifier of the service, and is therefore first.
    id: `sending-${next_sending}`,
    author: { id: me.id, username: me.username, display_name: me.display_name, avatar_url: me.avatar_url },
    mentions: [],
    reply_count: 0,
    like_count: 0,
    liked: false,
    edited_at: null,
    created_at: new Date().toISOString(),
  };
}

/** Posts a status, which is shown in the feed immediately, and removed when the service refuses it. */
export function usePostStatus(me: Me, onRefused: (draft: Draft) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: postStatusKey,
    mutationFn: (draft: Draft) => {
      const body: Input<'statuses', 'postStatus'>['body'] = { body: draft.body, visibility: draft.visibility };
      if (draft.tag !== null) body.tag_id = draft.tag.id;
      if (draft.media.length > 0) body.media = draft.media.map(({ id }) => id);
      return sdk.statuses.postStatus({ body });
    },
    onMutate: (draft) => {
      const sending = sendingStatus(draft, me);
      insertItem(queries, feedKey, sending);
      return sending;
    },
    onSuccess: (status, _draft, sending) => {
      removeItem(queries, feedKey, sending.id);
      cacheStatus(queries, status);
    },
    onError: (_error, draft, sending) => {
      if (sending !== undefined) removeItem(queries, feedKey, sending.id);
      onRefused(draft);
    },
  });
}

/** Edits the text of a status. */
export function useEditStatus(post_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: string) => sdk.statuses.editStatus({ path: { post_id }, body: { body } }),
    onSuccess: (status) => changeStatus(queries, post_id, () => status),
  });
}

/** Deletes a status, which disappears immediately and is restored when the request fails. */
export function useDeleteStatus() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (status: Status) => sdk.statuses.deleteStatus({ path: { post_id: status.id } }),
    onMutate: (status) => dropStatus(queries, status.id),
    onSuccess: (_, status) => queries.invalidateQueries({ queryKey: statusKey(status.id) }),
    onError: (error, status) => {
      cacheStatus(queries, status);
      showToast(i18n.t('Couldn’t delete the post. {problem}', { problem: describeProblem(error) }));
    },
  });
}

/** Replies to a status. */
export function usePostReply(post_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: string) => sdk.statuses.postReply({ path: { post_id }, body: { body } }),
    onSuccess: (reply) => cacheReply(queries, reply),
  });
}

/** Deletes a reply, which disappears immediately and is restored when the request fails. */
export function useDeleteReply() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reply: StatusReply) => sdk.statuses.deleteReply({ path: { reply_id: reply.id } }),
    onMutate: (reply) => dropReply(queries, reply.post_id, reply.id),
    onError: (error, reply) => {
      cacheReply(queries, reply);
      showToast(i18n.t('Couldn’t delete the reply. {problem}', { problem: describeProblem(error) }));
    },
  });
}

/** Shows a status as liked or not, wherever it is cached. */
export function showLike(queries: QueryClient, post_id: string, liked: boolean): void {
  changeStatus(queries, post_id, (status) =>
    status.liked === liked
      ? status
      : { ...status, liked, like_count: Math.max(0, status.like_count + (liked ? 1 : -1)) },
  );
}

/** Likes a status or removes the like, which is shown at once. */
export function useLike() {
  const queries = useQueryClient();
  const setPending = useSetPending();
  return ({ id, liked }: Status) => {
    showLike(queries, id, !liked);
    setPending({ kind: 'like', id, on: !liked, about: liked });
  };
}
