import { Link } from '@tanstack/react-router';
import { Inbox, UserCheck, Users } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { useRequestCount } from './request-count.ts';

/** The frame of the lists of people with the way between them. */
export function PeopleLayout() {
  const requests = useRequestCount();
  return (
    <SectionLayout title="People">
      <Link to="/people" className="chip" activeOptions={{ exact: true }}>
        <UserCheck aria-hidden="true" />
        Following
      </Link>
      <Link to="/people/requests" className="chip">
        <Inbox aria-hidden="true" />
        Requests
        <Badge count={requests} what="waiting" />
      </Link>
      <Link to="/people/followers" className="chip">
        <Users aria-hidden="true" />
        Followers
      </Link>
    </SectionLayout>
  );
}
