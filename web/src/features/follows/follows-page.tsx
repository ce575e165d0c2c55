import { Link } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { FollowButton } from './follow-button.tsx';
import type { Follow } from './follow-mutations.ts';
import { i18n } from '../../i18n/i18n.ts';
import { followsKey } from '../../data/queries/follow-queries.ts';

/** The tags that the reader follows. */
export function FollowsPage() {
  const beside = useListBeside();
  const list = useList<Follow>({
    queryKey: followsKey,
    load: (query, signal) => sdk.follows.listFollows({ query, signal }),
  });
  if (list.isPending) return <Skeleton what={i18n.t('Loading the tags you follow')} />;
  return (
    <section className="card" aria-labelledby="follows-heading">
      <h2 id="follows-heading" className="visually-hidden">
        {i18n.t('What you follow')}
      </h2>
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState
          title={i18n.t('Not following anyone yet')}
          text={i18n.t('Follow a tag to see its posts on Home.')}
          level={3}
        >
          <Link to="/search" className="button primary">
            {i18n.t('Find tags')}
          </Link>
        </EmptyState>
      ) : (
        <ul className="list">
          {list.items.map(({ id, tag }) => (
            <li key={id}>
              <TagSky name={tag.name} />
              <div className="list-main">
                <p>
                  <Link to="/t/$name" params={{ name: tag.name }} state={beside} className="tag-link">
                    <TagName name={tag.name} />
                  </Link>
                </p>
                <p className="soft small cut" dir="auto">
                  {nameOf(tag.owner)}
                </p>
              </div>
              <FollowButton tag={tag} />
              <div className="narrow">
                <PersonMenu person={tag.owner} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <More list={list} what={i18n.t('tags')} />
    </section>
  );
}
