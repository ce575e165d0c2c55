import type { Reply, Tag } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { Failure } from '../../ui/empty-state.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { When } from '../../ui/when.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';
import { followersOfKey } from '../../data/queries/tag-queries.ts';

type TagFollower = Reply<'tags', 'listTagFollowers'>['items'][number];

/** The followers of one tag, newest first. */
export function TagFollowers({ tag }: { tag: Tag }) {
  const me = useMe();
  const list = useList<TagFollower>({
    queryKey: followersOfKey(tag.id),
    load: (query, signal) => sdk.tags.listTagFollowers({ path: { xtag_id: tag.id }, query, signal }),
  });
  if (list.isPending) return <Skeleton rows={3} what={i18n.t('Loading followers…')} />;
  if (list.isError) return <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />;
  if (list.items.length === 0) return <p className="soft">{i18n.t('No followers yet.')}</p>;
  return (
    <>
      <ul className="list">
        {list.items.map(({ id, user, followed_at }) => (
          <li key={id}>
            <Avatar name={user.username} called={nameOf(user)} url={user.avatar_url} />
            <div className="list-main">
              <p>
                <strong dir="auto">{nameOf(user)}</strong>{' '}
                <span className="soft small">
                  <bdi>@{user.username}</bdi>
                </span>
              </p>
              <p className="soft small">
                <RichMessage
                  text={i18n.t('since <when></when>')}
                  parts={{ when: () => <When at={followed_at} className="" /> }}
                />
              </p>
            </div>
            {user.id === me?.id ? null : <PersonMenu person={user} />}
          </li>
        ))}
      </ul>
      <More list={list} what={i18n.t('followers')} />
    </>
  );
}
