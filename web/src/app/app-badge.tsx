import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inboxCountQuery } from '../data/queries/inbox-queries.ts';
import { useMe } from '../data/queries/me-query.ts';
import { useUnreadChats } from '../features/messages/use-unread-chats.ts';
import { showAppBadge } from '../worker/app-badge.ts';

function CountedBadge() {
  const missed = useQuery(inboxCountQuery).data?.count ?? 0;
  const count = useUnreadChats() + missed;
  useEffect(() => showAppBadge(count), [count]);
  // Nothing is shown of an account that has signed out.
  useEffect(() => () => showAppBadge(0), []);
  return null;
}

/** Shows on the icon of the installed client how many messages, missed calls and voicemails are new. */
export function AppBadge() {
  return useMe()?.gate.mobile_verified === true ? <CountedBadge /> : null;
}
