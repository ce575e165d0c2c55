import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ListFailure } from '../ui/problems/list-failure.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { profileQuery } from '../data/queries/profile-queries.ts';
import { Feed } from '../features/statuses/feed.tsx';
import { StatusList } from '../features/statuses/status-list.tsx';
import { i18n } from '../i18n/i18n.ts';

/** Scrolls to the open post, once it is among those that are loaded. */
function useOpenPost() {
  const { postId } = useParams({ strict: false });
  const list = useRef<HTMLDivElement>(null);
  const is_found = useRef(false);
  useEffect(() => {
    const posts = list.current;
    if (posts === null || is_found.current) return;
    const find = () => {
      const post = posts.querySelector('.quiet-link[aria-current]')?.closest('li');
      if (!post) return;
      is_found.current = true;
      post.scrollIntoView({ block: 'nearest' });
      observer.disconnect();
    };
    const observer = new MutationObserver(find);
    observer.observe(posts, { childList: true, subtree: true });
    find();
    return () => observer.disconnect();
  }, [postId]);
  return list;
}

/** The feed as a list beside a post of it. */
export function FeedList() {
  return (
    <div ref={useOpenPost()} className="post-list">
      <Feed ready />
    </div>
  );
}

/** The latest posts of a tag as a list beside one of them. */
export function TagPosts({ name }: { name: string }) {
  const profile = useQuery(profileQuery(name));
  return (
    <div ref={useOpenPost()} className="post-list">
      {profile.isPending ? <Skeleton rows={4} what={i18n.t('Loading the profile')} /> : null}
      <ListFailure list={profile} />
      {profile.data ? <StatusList statuses={profile.data.statuses} /> : null}
    </div>
  );
}
