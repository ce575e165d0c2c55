import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { SearchTags } from '../tags/search-tags.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** Searches people and topics; the query is in the address, so that it can be shared and reopened. */
export function SearchPage() {
  const { q = '' } = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate();
  const start = useStartCall();
  return (
    <Page title={i18n.t('Search')} narrow back={<GoBack to="/" />}>
      <section className="card" aria-label={i18n.t('Find someone')}>
        <SearchTags
          text={q}
          autoFocus
          onText={(text) => void navigate({ to: '/search', search: { q: text || undefined }, replace: true })}
        />
        {q.trim() === '' ? (
          <EmptyState title={i18n.t('Find a tag')} text={i18n.t('A name or a topic. Follow it, or call it at once.')} />
        ) : null}
      </section>
      <button type="button" className="button button-quiet" disabled={start.isPending} onClick={() => start.mutate([])}>
        <Plus aria-hidden="true" />
        {i18n.t('Open a room and share its link')}
      </button>
    </Page>
  );
}
