import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Asterisk, Bell, House, MessageSquare, Phone, Search, Settings, Users } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { StarMark } from '../../ui/brand.tsx';
import { ThemeSwitch } from '../../ui/theme.tsx';
import { IncomingCall } from '../calls/incoming-call.tsx';
import { useRequestCount } from '../follows/request-count.ts';
import { inboxCountQuery } from '../inbox/inbox-acts.ts';
import { dmCountQuery } from '../messages/message-queries.ts';
import { unreadQuery } from '../notifications/notification-acts.ts';
import { ConnectionNotice } from '../realtime/connection-notice.tsx';
import { RealtimeProvider } from '../realtime/stream-context.tsx';
import { useMe } from './me-query.ts';

type Area = '/' | '/inbox' | '/messages' | '/search' | '/tags' | '/people' | '/notifications' | '/settings';

function AreaLink({
  to,
  label,
  icon: Icon,
  children,
}: {
  to: Area;
  label: string;
  icon: LucideIcon;
  children?: ReactNode;
}) {
  return (
    <Link to={to} className="nav-link" activeOptions={{ exact: to === '/' }}>
      <span className="nav-icon">
        <Icon aria-hidden="true" />
        {children}
      </span>
      <span className="nav-label">{label}</span>
    </Link>
  );
}

function UnreadBadge() {
  const unread = useQuery(unreadQuery).data?.count ?? 0;
  return <Badge count={unread} what="unread" />;
}

function InboxBadge() {
  return <Badge count={useQuery(inboxCountQuery).data?.count ?? 0} what="new in your inbox" />;
}

function MessagesBadge() {
  const { count = 0, pending = 0 } = useQuery(dmCountQuery).data ?? {};
  return <Badge count={count + pending} what="new messages" />;
}

function RequestBadge() {
  return <Badge count={useRequestCount()} what="requests waiting" />;
}

/** The areas with what waits in them; the counts are asked only when the account may ask. */
function Areas() {
  const verified = useMe()?.gate.mobile_verified === true;
  return (
    <nav aria-label="Areas" className="areas">
      <AreaLink to="/" label="Home" icon={House} />
      <AreaLink to="/search" label="Search" icon={Search} />
      <AreaLink to="/tags" label="Tags" icon={Asterisk} />
      <AreaLink to="/people" label="People" icon={Users}>
        {verified ? <RequestBadge /> : null}
      </AreaLink>
      <AreaLink to="/messages" label="Messages" icon={MessageSquare}>
        {verified ? <MessagesBadge /> : null}
      </AreaLink>
      <AreaLink to="/inbox" label="Calls" icon={Phone}>
        {verified ? <InboxBadge /> : null}
      </AreaLink>
      <AreaLink to="/notifications" label="Notifications" icon={Bell}>
        {verified ? <UnreadBadge /> : null}
      </AreaLink>
      <AreaLink to="/settings" label="Settings" icon={Settings} />
    </nav>
  );
}

function Top() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="topbar">
        <div className="topbar-inner">
          <Link to="/" className="brand">
            <StarMark />
            Asterism
          </Link>
          <Areas />
          <ThemeSwitch />
        </div>
      </header>
      <ConnectionNotice />
    </>
  );
}

/** A call has the window to itself. */
function Frame() {
  const in_call = useLocation({ select: (location) => location.pathname.startsWith('/call/') });
  // The page keeps its place among these: the address changes before the page does, and a page that moved would be opened
  // a second time, which of a call means to come in again.
  return (
    <>
      {in_call ? null : <Top />}
      <Outlet />
    </>
  );
}

/** The frame of every signed-in page: the way to the other areas, the realtime stream and whoever rings. */
export function Shell() {
  return (
    <RealtimeProvider>
      <Frame />
      <IncomingCall />
    </RealtimeProvider>
  );
}
