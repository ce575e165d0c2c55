import { sdk } from '../../asterism.ts';
import { i18n } from '../../i18n/i18n.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useUnmute } from './mute-mutations.ts';
import type { Mute } from './mute-mutations.ts';
import { RestrictedPerson } from './restricted-person.tsx';
import { mutesKey } from './block-queries.ts';

/** The people whom the reader has muted, with buttons to unmute them. */
export function MutesPage() {
  const list = useList<Mute>({
    queryKey: mutesKey,
    load: (query, signal) => sdk.mutes.listMutes({ query, signal }),
  });
  const unmute = useUnmute();
  if (list.isPending) return <Skeleton rows={5} what={i18n.t('Loading muted people')} />;
  if (list.isSuccess && list.items.length === 0)
    return (
      <EmptyState title={i18n.t('No one is muted')} text={i18n.t('Mute people from the menu next to their name.')} />
    );
  return (
    <div className="card">
      <p className="soft">
        {i18n.t(
          'You won’t see their posts in your feed or get notifications about what they do. They can still call and message you, and won’t be notified.',
        )}
      </p>
      <ListFailure list={list} />
      <ul className="list">
        {list.items.map(({ id, user, created_at }) => (
          <RestrictedPerson
            key={id}
            person={user}
            since={created_at}
            has_page
            label={i18n.t('Stop muting')}
            onRelease={() => unmute.mutate(user)}
          />
        ))}
      </ul>
      <More list={list} what={i18n.t('people')} />
    </div>
  );
}
