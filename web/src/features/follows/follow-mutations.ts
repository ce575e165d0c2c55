import type { FollowRequest, Reply, Tag } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, insertItem, removeItem } from '../../data/lists.ts';
import { updateCached } from '../../data/cache.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { personKey } from '../../data/queries/person-queries.ts';
import type { PersonPage } from '../../data/queries/person-queries.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';
import { tagKey, tagSearchKey, tagsKey } from '../../data/queries/tag-queries.ts';
import {
  declinedKey,
  followersKey,
  incomingKey,
  outgoingKey,
  requestCountKey,
} from '../../data/queries/follow-queries.ts';

export type Follow = Reply<'follows', 'listFollows'>['items'][number];
export type Follower = Reply<'follows', 'listFollowers'>['items'][number];
type Profile = Reply<'profiles', 'getProfile'>;

/** Changes a tag wherever it is cached. */
export function changeTag(queries: QueryClient, tag_id: string, change: (tag: Tag) => Tag): void {
  const changeOne = (tag: Tag) => (tag.id === tag_id ? change(tag) : tag);
  updateCached<Tag>(queries, tagKey, changeOne);
  updateCached<Profile>(queries, profileKey, (profile) =>
    profile.tag.id === tag_id ? { ...profile, tag: changeOne(profile.tag) } : profile,
  );
  updateCached<PersonPage>(queries, personKey, (person) =>
    person.tags.some(({ id }) => id === tag_id) ? { ...person, tags: person.tags.map(changeOne) } : person,
  );
  changeItem<Tag>(queries, tagSearchKey, tag_id, change);
  changeItem<Tag>(queries, tagsKey, tag_id, change);
}

/** Shows a tag as followed, requested or neither, wherever it is cached. */
export function setFollowed(queries: QueryClient, tag_id: string, following: boolean, requested: boolean): void {
  changeTag(queries, tag_id, (tag) => {
    const step = Number(following) - Number(tag.following);
    return { ...tag, following, requested, follower_count: Math.max(0, tag.follower_count + step) };
  });
}

export type Decision = 'accept' | 'decline' | 'undo';
const BECOMES = { accept: 'accepted', decline: 'declined', undo: 'pending' } as const;

/** Accepts or declines a follow request, or undoes a denial; the request keeps its place and shows the outcome. */
export function useDecide() {
  const queries = useQueryClient();
  const show = (request: FollowRequest, state: FollowRequest['state']) => {
    for (const queryKey of [incomingKey, declinedKey])
      changeItem<FollowRequest>(queries, queryKey, request.id, (one) => ({ ...one, state }));
  };
  return useMutation({
    mutationFn: ({ request, action }: { request: FollowRequest; action: Decision }) =>
      sdk.follows.decideFollowRequest({ path: { request_id: request.id }, body: { action } }),
    onMutate: ({ request, action }) => show(request, BECOMES[action]),
    onSuccess: (_, { action }) =>
      Promise.all(
        [requestCountKey, ...(action === 'accept' ? [followersKey, tagsKey] : [])].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
    onError: (error, { request }) => {
      show(request, request.state);
      showToast(i18n.t('Couldn’t update the request. {problem}', { problem: describeProblem(error) }));
    },
  });
}

/** Withdraws the reader's own request. */
export function useCancelRequest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (request: FollowRequest) =>
      sdk.follows.decideFollowRequest({ path: { request_id: request.id }, body: { action: 'cancel' } }),
    onMutate: (request) => {
      removeItem(queries, outgoingKey, request.id);
      changeTag(queries, request.tag.id, (tag) => ({ ...tag, requested: false }));
    },
    onError: (error, request) => {
      insertItem(queries, outgoingKey, request);
      changeTag(queries, request.tag.id, (tag) => ({ ...tag, requested: true }));
      showToast(i18n.t('Couldn’t cancel the request. {problem}', { problem: describeProblem(error) }));
    },
  });
}

/** Removes a follower from all of the reader's tags. */
export function useRemoveFollower() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (follower: Follower) => sdk.follows.removeFollower({ path: { follower_user_id: follower.user.id } }),
    onMutate: (follower) => removeItem(queries, followersKey, follower.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: tagsKey }),
    onError: (error, follower) => {
      insertItem(queries, followersKey, follower);
      showToast(
        i18n.t('Couldn’t remove {username}. {problem}', {
          username: follower.user.username,
          problem: describeProblem(error),
        }),
      );
    },
  });
}
