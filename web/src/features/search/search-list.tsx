import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingOpen } from '../../ui/panes/panes.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { useFoundPeople } from '../commands/use-found-people.ts';
import { SearchTags } from '../tags/search-tags.tsx';
import { FoundPeople } from './found-people.tsx';
import { FoundPhone, useFoundPhone } from './found-phone.tsx';
import { i18n } from '../../i18n/i18n.ts';

function OpenRoom() {
  const start = useStartCall();
  return (
    <button type="button" className="button quiet" disabled={start.isPending} onClick={() => start.mutate([])}>
      <Plus aria-hidden="true" />
      {i18n.t('Open a room and share its link')}
    </button>
  );
}

const invitation = () => i18n.t('A name or a topic. Follow it, or call it at once.');

interface SearchListProps {
  /** The query: it is in the address, so that it can be shared and reopened. */
  q: string;
  /** Whether none of the results is open. */
  is_alone: boolean;
  /** Whether what is open is beside it. */
  is_wide: boolean;
}

/** The search field with the results. Another query closes the open one. */
export function SearchList({ q, is_alone, is_wide }: SearchListProps) {
  const navigate = useNavigate();
  const people = useFoundPeople(q.trim());
  const phone = useFoundPhone(q.trim());
  return (
    <>
      <section aria-label={i18n.t('Find someone')}>
        <SearchTags
          text={q}
          autoFocus={is_alone}
          has_others={people.length > 0 || phone !== undefined}
          onText={(text) => void navigate({ to: '/search', search: { q: text || undefined }, replace: is_alone })}
        />
        {q.trim() === '' && !is_wide ? <EmptyState title={i18n.t('Find people and tags')} text={invitation()} /> : null}
      </section>
      {phone === undefined ? null : <FoundPhone phone={phone} />}
      <FoundPeople people={people} />
      {is_wide ? null : <OpenRoom />}
    </>
  );
}

/** What a wide window shows beside the results while none is open. */
export function SearchPlaceholder({ q }: { q: string }) {
  if (q.trim() !== '')
    return <NothingOpen title={i18n.t('Nothing selected')} text={i18n.t('Select an entry to see what it is about.')} />;
  return (
    <NothingOpen title={i18n.t('Find people and tags')} text={invitation()}>
      <OpenRoom />
    </NothingOpen>
  );
}
