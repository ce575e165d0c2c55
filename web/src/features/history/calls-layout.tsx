import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hash, Link2 } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { useStartCall } from '../calls/state/start-call.ts';
import { inboxCountQuery } from '../inbox/inbox-acts.ts';

/** The two ways to begin: whom one can find, and a room whose link is sent. */
function Begin() {
  const start = useStartCall();
  return (
    <div className="two-btn">
      <Link to="/search" className="btn primary">
        <Hash aria-hidden="true" />
        Call a tag
      </Link>
      <button type="button" className="btn quiet" disabled={start.isPending} onClick={() => start.mutate([])}>
        <Link2 aria-hidden="true" />
        New room
      </button>
    </div>
  );
}

/** The frame of what belongs to calling, with the way between its pages. */
export function CallsLayout() {
  const unread = useQuery(inboxCountQuery).data?.count ?? 0;
  return (
    <SectionLayout title="Call" lead={<Begin />}>
      <Link to="/calls" className="chip">
        Recent
      </Link>
      <Link to="/inbox" className="chip">
        Inbox
        <Badge count={unread} what="not read" tone="red" />
      </Link>
      <Link to="/grid" className="chip">
        Favourites
      </Link>
    </SectionLayout>
  );
}
