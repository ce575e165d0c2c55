import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useUnblock } from './block-mutations.ts';
import type { Block } from './block-mutations.ts';
import { RestrictedPerson } from './restricted-person.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { blocksKey } from './block-queries.ts';

/** The people whom the reader has blocked, with buttons to unblock them. */
export function BlocksPage() {
  const list = useList<Block>({
    queryKey: blocksKey,
    load: (query, signal) => sdk.blocks.listBlocks({ query, signal }),
  });
  const unblock = useUnblock();
  if (list.isPending) return <Skeleton rows={5} what={i18n.t('Loading blocked people')} />;
  if (list.isSuccess && list.items.length === 0)
    return (
      <EmptyState title={i18n.t('No one is blocked')} text={i18n.t('Block people from the menu next to their name.')} />
    );
  return (
    <div className="card">
      <ListFailure list={list} />
      <ul className="list">
        {list.items.map((block) => (
          <RestrictedPerson
            key={block.id}
            person={block.user}
            since={block.created_at}
            has_page={false}
            label={i18n.t('Unblock')}
            onRelease={() => unblock.mutate(block)}
          />
        ))}
      </ul>
      <More list={list} what={i18n.t('people')} />
    </div>
  );
}
