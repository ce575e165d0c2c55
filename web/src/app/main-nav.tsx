import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Bell, CalendarDays, House, MapPin, MessageCircle, Phone, Search, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUnreadChats } from '../features/messages/use-unread-chats.ts';
import { useRequestCount } from '../features/follows/request-count.ts';
import { inboxCountQuery } from '../data/queries/inbox-queries.ts';
import { useMe } from '../data/queries/me-query.ts';
import { unreadQuery } from '../data/queries/notification-queries.ts';
import { readingListOf } from '../ui/panes/reading-list.ts';
import { Aster } from '../ui/brand/aster.tsx';
import { Avatar, nameOf } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { SkeletonBlock } from '../ui/skeleton.tsx';
import { i18n } from '../i18n/i18n.ts';

/** Pages that belong to a section although their address does not start with its own. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  '/messages': ['/share'],
  '/calls': ['/inbox', '/grid', '/videomail', '/j'],
  '/people': ['/contacts', '/groups', '/u'],
  '/settings': ['/verify-mobile', '/call-test', '/tags', '/scheduled', '/widgets', '/invites'],
};

const PEOPLE_LISTS = ['/people', '/contacts', '/groups'] as const;

interface PlaceProps {
  to: string;
  className?: string;
  children: ReactNode;
}

/** Whether a page belongs to a section, and whether it is shown beside the list of another one. */
function sectionOf(to: string, path: string, opened_from: string | undefined) {
  const list = readingListOf(path, opened_from);
  if (list !== undefined) return { belongs: (list.split('?')[0] ?? list) === to, is_elsewhere: list !== path };
  const is_from_people = PEOPLE_LISTS.some((way) => opened_from?.startsWith(way) === true);
  const is_also = (ALSO[to] ?? []).some((way) => path === way || path.startsWith(`${way}/`));
  return { belongs: is_also || (to === '/people' && is_from_people), is_elsewhere: false };
}

/** One section of the client; it is current on all pages that belong to it. */
function Place({ to, className, children }: PlaceProps) {
  const { belongs, is_elsewhere } = useLocation({
    select: ({ pathname, state }) => sectionOf(to, pathname, state.list),
    structuralSharing: true,
  });
  return (
    <Link
      to={to}
      className={className}
      activeOptions={{ exact: to === '/' || is_elsewhere }}
      aria-current={belongs ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}

function ChatsBadge() {
  const count = useUnreadChats();
  // A plural loads the browser's format of numbers, which the first page does not need for a count of 0.
  if (count === 0) return null;
  return <Badge count={count} what={i18n.t('{count, plural, one {new message} other {new messages}}', { count })} />;
}

function CallBadge() {
  return (
    <Badge count={useQuery(inboxCountQuery).data?.count ?? 0} what={i18n.t('new in your call inbox')} tone="red" />
  );
}

function PeopleBadge() {
  const count = useRequestCount();
  return count === 0 ? null : <Badge count={count} what={i18n.t('waiting')} />;
}

function ActivityBadge() {
  return <Badge count={useQuery(unreadQuery).data?.count ?? 0} what={i18n.t('unread')} tone="red" />;
}

/**
 * The tab bar of a phone with its five sections, and the rail of wider windows. Counts are only fetched when the
 * account may fetch them.
 */
export function MainNav() {
  const me = useMe();
  const verified = me?.gate.mobile_verified === true;
  return (
    <nav className="nav" aria-label={i18n.t('Main')}>
      <Link to="/" className="logo">
        <Aster />
        <span className="visually-hidden">Asterism</span>
      </Link>
      <Place to="/">
        <House aria-hidden="true" />
        {i18n.t('Home')}
      </Place>
      <Place to="/messages">
        <MessageCircle aria-hidden="true" />
        {i18n.t('Chats')}
        {verified ? <ChatsBadge /> : null}
      </Place>
      <Place to="/calls" className="nav-call">
        <span className="disc">
          <Phone aria-hidden="true" />
        </span>
        {i18n.t('Call')}
        {verified ? <CallBadge /> : null}
      </Place>
      <Place to="/people">
        <Users aria-hidden="true" />
        {i18n.t('People')}
        {verified ? <PeopleBadge /> : null}
      </Place>
      <Place to="/calendar" className="rail-only">
        <CalendarDays aria-hidden="true" />
        {i18n.t('Calendar')}
      </Place>
      <Place to="/map" className="rail-only">
        <MapPin aria-hidden="true" />
        {i18n.t('Map')}
      </Place>
      <Place to="/search" className="rail-only">
        <Search aria-hidden="true" />
        {i18n.t('Search')}
      </Place>
      <Place to="/notifications" className="rail-only push">
        <Bell aria-hidden="true" />
        {i18n.t('Activity')}
        {verified ? <ActivityBadge /> : null}
      </Place>
      <Place to="/settings">
        {me === undefined ? (
          <SkeletonBlock width="24px" height="24px" round />
        ) : (
          <Avatar name={me.username} called={nameOf(me)} url={me.avatar_url} size_px={24} />
        )}
        {i18n.t('You')}
      </Place>
    </nav>
  );
}
