import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Inbox, UserPlus, UsersRound } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useRequestCount } from '../follows/request-count.ts';
import { useGroupInvites } from '../../data/queries/group-queries.ts';
import { inboxCountQuery } from '../../data/queries/inbox-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

interface ForYouItem {
  to: string;
  icon: LucideIcon;
  count: number;
  words: (count: number) => string;
}

function useForYouItems(): readonly ForYouItem[] {
  const missed = useQuery(inboxCountQuery).data?.count ?? 0;
  const requests = useRequestCount();
  const invites = useGroupInvites().items.length;
  const items: ForYouItem[] = [
    {
      to: '/inbox',
      icon: Inbox,
      count: missed,
      words: (count) =>
        i18n.t('{count, plural, one {# missed call or voicemail} other {# missed calls and voicemails}}', { count }),
    },
    {
      to: '/people/requests',
      icon: UserPlus,
      count: requests,
      words: (count) =>
        i18n.t('{count, plural, one {# person requested to follow you} other {# people requested to follow you}}', {
          count,
        }),
    },
    {
      to: '/groups',
      icon: UsersRound,
      count: invites,
      words: (count) => i18n.t('{count, plural, one {# invite to a group} other {# invites to groups}}', { count }),
    },
  ];
  return items.filter(({ count }) => count > 0);
}

/** What awaits an action of the reader, each with a link; nothing when there is none. Badges of the navigation tell of messages and activity. */
export function ForYou() {
  const items = useForYouItems();
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="for-you-heading" className="home-for-you">
      <h2 id="for-you-heading" className="side-label">
        {i18n.t('For you')}
      </h2>
      <ul className="group">
        {items.map(({ to, icon: Icon, count, words }) => (
          <li key={to}>
            <Link to={to} className="row">
              <Icon aria-hidden="true" className="icon" />
              <span className="body">{words(count)}</span>
              <ChevronRight aria-hidden="true" className="icon m" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
