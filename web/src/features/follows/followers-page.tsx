import { Link } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useRemoveFollower } from './follow-mutations.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import type { Follower } from './follow-mutations.ts';
import { i18n } from '../../i18n/i18n.ts';
import { followersKey } from '../../data/queries/follow-queries.ts';

/** The followers of all of the reader's tags. */
export function FollowersPage() {
  const list = useList<Follower>({
    queryKey: followersKey,
    load: (query, signal) => sdk.follows.listFollowers({ query, signal }),
  });
  const remove = useRemoveFollower();
  if (list.isPending) return <Skeleton what={i18n.t('Loading your followers')} />;
  return (
    <section className="card" aria-labelledby="followers-heading">
      <h2 id="followers-heading" className="visually-hidden">
        {i18n.t('Who follows you')}
      </h2>
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState
          title={i18n.t('No followers yet')}
          text={i18n.t('Share one of your tags so people can find you.')}
          level={3}
        >
          <Link to="/tags" className="button primary">
            {i18n.t('Your tags')}
          </Link>
        </EmptyState>
      ) : (
        <ul className="list">
          {list.items.map((follower) => (
            <li key={follower.id}>
              <Avatar name={follower.user.username} called={nameOf(follower.user)} url={follower.user.avatar_url} />
              <div className="list-main">
                <p>
                  <PersonLink person={follower.user} />{' '}
                  <span className="soft small">
                    <bdi>@{follower.user.username}</bdi>
                  </span>
                </p>
                <p className="soft small">
                  <bdi>{follower.tags.map(({ name }) => `*${name}`).join(', ')}</bdi>
                </p>
              </div>
              <Confirm
                trigger={
                  <button type="button" className="button quiet">
                    {i18n.t('Remove')}
                    <span className="visually-hidden"> {nameOf(follower.user)}</span>
                  </button>
                }
                title={i18n.t('Remove {name}?', { name: nameOf(follower.user) })}
                text={i18n.t('They stop following all your tags and won’t be notified. They may follow again.')}
                action={i18n.t('Remove')}
                onConfirm={() => remove.mutate(follower)}
              />
              <div className="narrow">
                <PersonMenu person={follower.user} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <More list={list} what={i18n.t('followers')} />
    </section>
  );
}
