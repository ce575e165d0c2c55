import { Link } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand.tsx';
import { More } from '../../ui/more.tsx';
import { Waiting } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { When } from '../../ui/when.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { FollowButton } from './follow-button.tsx';
import type { Follow } from './follow-acts.ts';

/** The tags that the reader follows. */
export function FollowsPage() {
  const list = useList<Follow>({
    queryKey: ['follows'],
    load: (query, signal) => sdk.follows.listFollows({ query, signal }),
  });
  if (list.isPending) return <Waiting what="Fetching what you follow" />;
  return (
    <section className="card" aria-labelledby="follows-heading">
      <h2 id="follows-heading">What you follow</h2>
      {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <p className="soft">
          Nothing yet. <Link to="/search">Search</Link> for a name or a topic.
        </p>
      ) : (
        <ul className="list">
          {list.items.map(({ id, tag, followed_at }) => (
            <li key={id}>
              <Avatar name={tag.owner.username} url={tag.owner.avatar_url} />
              <div className="list-main">
                <p>
                  <Link to="/t/$name" params={{ name: tag.name }} className="tag-link">
                    <TagName name={tag.name} />
                  </Link>
                </p>
                <p className="soft small">
                  {nameOf(tag.owner)}, since <When at={followed_at} className="" />
                </p>
              </div>
              <FollowButton tag={tag} />
              <PersonMenu person={tag.owner} />
            </li>
          ))}
        </ul>
      )}
      <More list={list} what="tags" />
    </section>
  );
}
