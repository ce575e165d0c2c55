import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Link2, Search } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { useShownPath } from '../../ui/hooks/use-shown-path.ts';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { SectionPanes } from '../../ui/panes/section-panes.tsx';
import { RoomsList } from '../rooms/rooms-list.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { GridPage } from '../grid/grid-page.tsx';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { inboxCountQuery } from '../../data/queries/inbox-queries.ts';
import { HistoryPage } from './history-page.tsx';
import { PastCalls } from './past-calls.tsx';
import { Recordings } from './recordings.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** Opens the search for whom to call, in the shape of its field. */
function SearchLink() {
  return (
    <Link to="/search" className="search">
      <Search aria-hidden="true" size={18} />
      <span className="cut">{i18n.t('A name, a tag or a number')}</span>
    </Link>
  );
}

/** Opens a room, which people join by its link. */
function NewRoomButton() {
  const start = useStartCall();
  return (
    <button
      type="button"
      className="icon-button"
      disabled={start.isPending}
      title={i18n.t('New room')}
      onClick={() => start.mutate([])}
    >
      <Link2 aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('New room')}</span>
    </button>
  );
}

/** Whether the favourites are edited: kept here, since they move to the other pane when the window becomes wide. */
type Editing = Pick<ComponentProps<typeof GridPage>, 'edits' | 'onEdits'>;

/** Whom to call, beside past calls while none of them is open. */
function CallHome(editing: Editing) {
  return (
    <div className="scroll">
      <div className="page">
        <GridPage has_title {...editing} />
        <RoomsList />
        <Recordings />
      </div>
    </div>
  );
}

/** The lists of the section. A wide window shows the favourites beside the others. */
function Lists({ current, wide }: { current: string; wide: boolean }) {
  const unread = useQuery(inboxCountQuery).data?.count ?? 0;
  return (
    <>
      <Link
        to="/calls"
        className="chip"
        activeOptions={{ exact: true }}
        aria-current={current === '/calls' ? 'true' : undefined}
      >
        {i18n.t('Recent')}
      </Link>
      <Link to="/inbox" className="chip">
        {i18n.t('Inbox')}
        <Badge count={unread} what={i18n.t('not read')} tone="red" />
      </Link>
      {wide ? null : (
        <Link to="/grid" className="chip">
          {i18n.t('Favourites')}
        </Link>
      )}
    </>
  );
}

/** The list at an address. A phone shows past calls and whom to call in one column. */
function listOf(address: string, wide: boolean, editing: Editing) {
  if (address === '/inbox') return <InboxPage />;
  if (address === '/grid') return <GridPage {...editing} />;
  return wide ? <PastCalls /> : <HistoryPage />;
}

/** The lists of calls, and the call that is open or whom to call. */
export function CallsLayout() {
  const path = useShownPath().replace(/\/$/, '');
  const wide = useWide();
  const [edits, onEdits] = useState(false);
  const editing = { edits, onEdits };
  const is_favourites = path === '/grid';
  const current = path === '/inbox' || (is_favourites && !wide) ? path : '/calls';
  return (
    <SectionPanes
      title={i18n.t('Call')}
      actions={<NewRoomButton />}
      lead={<SearchLink />}
      nav={<Lists current={current} wide={wide} />}
      current={current}
      list={listOf(current, wide, editing)}
      is_alone={path === current || is_favourites}
      beside={<CallHome {...editing} />}
    />
  );
}
