import type { Reply, Tag } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import type { PendingState } from '../../data/pending-context.ts';
import type { PendingWork } from '../../data/pending-states.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';
import { followsKey, outgoingKey } from '../../data/queries/follow-queries.ts';
import { feedKey } from '../../data/queries/status-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { setFollowed } from './follow-mutations.ts';

/** What is known of a tag when it is followed or unfollowed. */
export interface FollowedTag extends Pick<Tag, 'name' | 'follow_policy' | 'following' | 'requested'> {
  readonly message?: string;
}

type FollowReply = Reply<'tags', 'followTag'>;

const aboutOf = ({ about }: PendingState) => about as FollowedTag;

function refetchFollows(queries: QueryClient): Promise<unknown> {
  const keys = [followsKey, outgoingKey, feedKey, profileKey];
  return Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Follows a tag, or unfollows it, which withdraws a request. */
async function send({ id, on, about }: PendingState): Promise<FollowReply['state'] | undefined> {
  const path = { xtag_id: id };
  const { message } = about as FollowedTag;
  if (on) return (await sdk.tags.followTag({ path, body: message ? { message } : {} })).state;
  await sdk.tags.unfollowTag({ path });
  return undefined;
}

/** How follows are shown and sent. */
export function workOf(queries: QueryClient): PendingWork {
  return {
    show(state) {
      const is_open = aboutOf(state).follow_policy === 'open';
      setFollowed(queries, state.id, state.on && is_open, state.on && !is_open);
    },
    async send(state) {
      const answer = await send(state);
      return () => {
        setFollowed(queries, state.id, answer === 'following', answer === 'requested');
        return refetchFollows(queries);
      };
    },
    revert(state, error) {
      const { name, following, requested } = aboutOf(state);
      setFollowed(queries, state.id, following, requested);
      const values = { name, problem: describeProblem(error) };
      if (following) showToast(i18n.t('Couldn’t unfollow *{name}. {problem}', values));
      else if (requested) showToast(i18n.t('Couldn’t cancel the request to *{name}. {problem}', values));
      else showToast(i18n.t('Couldn’t follow *{name}. {problem}', values));
    },
  };
}
