import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Asterisk, Link2 } from 'lucide-react';
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

/** Two ways to start a call: with people, or by a link that is sent to them. */
function StartCallLinks() {
  const start = useStartCall();
  return (
    <div className="two-buttons">
      <Link to="/search" className="button primary">
        <Asterisk aria-hidden="true" />
        {i18n.t('Call a tag')}
      </Link>
      <button type="button" className="button quiet" disabled={start.isPending} onClick={() => start.mutate([])}>
        <Link2 aria-hidden="true" />
        {i18n.t('New room')}
      </button>
    </div>
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
      lead={<StartCallLinks />}
      nav={<Lists current={current} wide={wide} />}
      current={current}
      list={listOf(current, wide, editing)}
      is_alone={path === current || is_favourites}
      beside={<CallHome {...editing} />}
    />
  );
}
