import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Asterisk, Link2 } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { useStartCall } from '../calls/state/start-call.ts';
import { inboxCountQuery } from '../inbox/inbox-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Two ways to start a call: with people, or by a link that is sent to them. */
function Begin() {
  const start = useStartCall();
  return (
    <div className="two-btn">
      <Link to="/search" className="btn primary">
        <Asterisk aria-hidden="true" />
        {i18n.t('Call a tag')}
      </Link>
      <button type="button" className="btn quiet" disabled={start.isPending} onClick={() => start.mutate([])}>
        <Link2 aria-hidden="true" />
        {i18n.t('New room')}
      </button>
    </div>
  );
}

/** The frame of the calling pages, with the navigation between them. */
export function CallsLayout() {
  const unread = useQuery(inboxCountQuery).data?.count ?? 0;
  return (
    <SectionLayout title={i18n.t('Call')} lead={<Begin />}>
      <Link to="/calls" className="chip">
        {i18n.t('Recent')}
      </Link>
      <Link to="/inbox" className="chip">
        {i18n.t('Inbox')}
        <Badge count={unread} what={i18n.t('not read')} tone="red" />
      </Link>
      <Link to="/grid" className="chip">
        {i18n.t('Favourites')}
      </Link>
    </SectionLayout>
  );
}
