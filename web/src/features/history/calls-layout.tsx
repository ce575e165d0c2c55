import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { BookUser, Grid3x3, History, Inbox, UsersRound } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { useGroupInvites } from '../groups/group-queries.ts';
import { inboxCountQuery } from '../inbox/inbox-acts.ts';

/** The frame of what belongs to calling, with the way between its pages. */
export function CallsLayout() {
  const unread = useQuery(inboxCountQuery).data?.count ?? 0;
  const invites = useGroupInvites().items.length;
  return (
    <SectionLayout title="Calls">
      <Link to="/inbox" className="chip">
        <Inbox aria-hidden="true" />
        Inbox
        <Badge count={unread} what="not read" />
      </Link>
      <Link to="/calls" className="chip">
        <History aria-hidden="true" />
        History
      </Link>
      <Link to="/grid" className="chip">
        <Grid3x3 aria-hidden="true" />
        Grid
      </Link>
      <Link to="/contacts" className="chip">
        <BookUser aria-hidden="true" />
        Contacts
      </Link>
      <Link to="/groups" className="chip">
        <UsersRound aria-hidden="true" />
        Groups
        <Badge count={invites} what="invites waiting" />
      </Link>
    </SectionLayout>
  );
}
