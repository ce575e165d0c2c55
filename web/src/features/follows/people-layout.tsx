import { Link, Outlet } from '@tanstack/react-router';
import { Inbox, UserCheck, Users } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { useRequestCount } from './request-count.ts';

/** The frame of the lists of people with the way between them. */
export function PeopleLayout() {
  const requests = useRequestCount();
  return (
    <Page title="People">
      <div className="settings">
        <nav className="settings-nav people-nav" aria-label="People">
          <Link to="/people" className="nav-link" activeOptions={{ exact: true }}>
            <UserCheck aria-hidden="true" />
            Following
          </Link>
          <Link to="/people/requests" className="nav-link">
            <Inbox aria-hidden="true" />
            Requests
            <Badge count={requests} what="waiting" />
          </Link>
          <Link to="/people/followers" className="nav-link">
            <Users aria-hidden="true" />
            Followers
          </Link>
        </nav>
        <div className="stack">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
