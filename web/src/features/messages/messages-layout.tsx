import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { MessageSquare, UserPlus } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { dmCountQuery } from './message-queries.ts';

/** The frame of the lists of threads: those that are under way, and what strangers ask. */
export function MessagesLayout() {
  const { count = 0, pending = 0 } = useQuery(dmCountQuery).data ?? {};
  return (
    <SectionLayout title="Messages">
      <Link to="/messages" className="chip" activeOptions={{ exact: true }}>
        <MessageSquare aria-hidden="true" />
        Chats
        <Badge count={count} what="not read" />
      </Link>
      <Link to="/messages/requests" className="chip">
        <UserPlus aria-hidden="true" />
        Requests
        <Badge count={pending} what="waiting" />
      </Link>
    </SectionLayout>
  );
}
