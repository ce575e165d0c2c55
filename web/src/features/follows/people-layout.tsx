import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { useGroupInvites } from '../groups/group-queries.ts';
import { useRequestCount } from './request-count.ts';

/** The frame of everybody the reader has to do with: whom they follow, who follows, contacts and groups. */
export function PeopleLayout() {
  const requests = useRequestCount();
  const invites = useGroupInvites().items.length;
  return (
    <SectionLayout title="People">
      <Link to="/people" className="chip" activeOptions={{ exact: true }}>
        Following
      </Link>
      <Link to="/people/requests" className="chip">
        Requests
        <Badge count={requests} what="waiting" />
      </Link>
      <Link to="/people/followers" className="chip">
        Followers
      </Link>
      <Link to="/contacts" className="chip">
        Contacts
      </Link>
      <Link to="/groups" className="chip">
        Groups
        <Badge count={invites} what="invites waiting" />
      </Link>
    </SectionLayout>
  );
}
