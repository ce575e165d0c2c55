import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { More } from '../../ui/more.tsx';
import { Waiting } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { When } from '../../ui/when.tsx';
import { useUnblock } from './block-acts.ts';
import type { Block } from './block-acts.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

/** Whom the reader has blocked, and the way to let them go. */
export function BlocksPage() {
  const list = useList<Block>({
    queryKey: ['blocks'],
    load: (query, signal) => sdk.blocks.listBlocks({ query, signal }),
  });
  const unblock = useUnblock();
  if (list.isPending) return <Waiting what={i18n.t('Fetching whom you have blocked')} />;
  return (
    <section className="card" aria-labelledby="blocks-heading">
      <h2 id="blocks-heading">{i18n.t('People you have blocked')}</h2>
      {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <p className="soft">{i18n.t('You have not blocked anyone. Block people from the menu next to their name.')}</p>
      ) : (
        <ul className="list">
          {list.items.map((block) => (
            <li key={block.id}>
              <Avatar name={block.user.username} url={block.user.avatar_url} />
              <div className="list-main">
                <p>
                  <strong dir="auto">{nameOf(block.user)}</strong>{' '}
                  <span className="soft small">
                    <bdi>@{block.user.username}</bdi>
                  </span>
                </p>
                <p className="soft small">
                  <RichMessage
                    text={i18n.t('since <when></when>')}
                    parts={{ when: () => <When at={block.created_at} className="" /> }}
                  />
                </p>
              </div>
              <button type="button" className="button button-quiet" onClick={() => unblock.mutate(block)}>
                {i18n.t('Unblock')}
                <span className="visually-hidden"> {nameOf(block.user)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <More list={list} what={i18n.t('people')} />
    </section>
  );
}
