import { Link } from '@tanstack/react-router';
import { Failure } from '../../ui/empty-state.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { useTagList } from '../../data/queries/tag-queries.ts';
import { describeVisibility } from './tag-visibility.ts';

function describeFollowers(count: number): string {
  return i18n.t('{count, plural, one {# follower} other {# followers}}', { count });
}

/** The reader's own tags, newest first. */
export function YourTags() {
  const tags = useTagList();
  if (tags.isPending) return <Skeleton rows={2} what={i18n.t('Loading your tags…')} />;
  if (tags.isError) return <Failure text={describeProblem(tags.error)} onRetry={() => void tags.refetch()} />;
  const { items } = tags;
  if (items.length === 0) {
    return <p className="soft">{i18n.t('You have no tags yet. Create one and share it.')}</p>;
  }
  return (
    <>
      <ul className="list">
        {items.map((tag) => (
          <li key={tag.id}>
            <TagSky name={tag.name} />
            <div className="list-main">
              <Link to="/tags/$tagId" params={{ tagId: tag.id }} className="tag-link">
                <TagName name={tag.name} />
              </Link>
              <p className="soft small cut" dir="auto">
                {[tag.title, describeFollowers(tag.follower_count), describeVisibility(tag)]
                  .filter((fact) => fact !== '')
                  .join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <More list={tags} what={i18n.t('tags')} />
    </>
  );
}
