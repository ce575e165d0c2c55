import { Link, Outlet } from '@tanstack/react-router';
import { useContext, type ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { ListBeside, useOpenedFrom } from '../ui/hooks/use-list-beside.ts';
import { useShownPath } from '../ui/hooks/use-shown-path.ts';
import { NothingOpen } from '../ui/panes/panes.tsx';
import { SectionPanes } from '../ui/panes/section-panes.tsx';
import { ContactsPage } from '../features/contacts/contacts-page.tsx';
import { useGroupInvites } from '../data/queries/group-queries.ts';
import { GroupsPage } from '../features/groups/groups-page.tsx';
import { FollowersPage } from '../features/follows/followers-page.tsx';
import { FollowsPage } from '../features/follows/follows-page.tsx';
import { RequestsPage } from '../features/follows/requests-page.tsx';
import { useRequestCount } from '../features/follows/request-count.ts';
import { i18n } from '../i18n/i18n.ts';

/** The lists of people, by their address. */
const LISTS: Readonly<Record<string, ReactNode>> = {
  '/people': <FollowsPage />,
  '/people/requests': <RequestsPage />,
  '/people/followers': <FollowersPage />,
  '/contacts': <ContactsPage />,
  '/groups': <GroupsPage />,
};

/** The second pane while nothing of a list is open. */
function Nothing({ of }: { of: string }) {
  if (of === '/contacts')
    return (
      <NothingOpen title={i18n.t('Select a contact')} text={i18n.t('Their numbers, addresses and notes open here.')} />
    );
  if (of === '/groups')
    return <NothingOpen title={i18n.t('Select a group')} text={i18n.t('Its members and its room open here.')} />;
  const title = of === '/people' ? i18n.t('Select a tag') : i18n.t('Select someone');
  return (
    <NothingOpen title={title} text={i18n.t('Or find tags by a name or a topic.')}>
      <Link to="/search" className="button quiet">
        {i18n.t('Find tags')}
      </Link>
    </NothingOpen>
  );
}

/**
 * The list beside an open page: that of its address, else the one that the page was opened from. A person who was opened
 * elsewhere, such as in the feed, is shown beside the first list; a tag that was opened elsewhere is a page of its own.
 */
function listOf(path: string, opened_from: string | undefined): string | undefined {
  if (Object.hasOwn(LISTS, path)) return path;
  const own = ['/contacts', '/groups'].find((list) => path.startsWith(list));
  if (own !== undefined) return own;
  if (opened_from !== undefined && Object.hasOwn(LISTS, opened_from)) return opened_from;
  return path.startsWith('/t/') ? undefined : '/people';
}

/** The lists of people, each with its count of what waits for the reader. */
function Lists({ current }: { current: string }) {
  const requests = useRequestCount();
  const invites = useGroupInvites().items.length;
  const lists = [
    { to: '/people', label: i18n.t('Following') },
    { to: '/people/requests', label: i18n.t('Requests'), count: requests, what: i18n.t('waiting') },
    { to: '/people/followers', label: i18n.t('Followers') },
    { to: '/contacts', label: i18n.t('Contacts') },
    {
      to: '/groups',
      label: i18n.t('Groups'),
      count: invites,
      what: i18n.t('{count, plural, one {invite waiting} other {invites waiting}}', { count: invites }),
    },
  ];
  return (
    <>
      {lists.map(({ to, label, count = 0, what = '' }) => (
        <Link
          key={to}
          to={to}
          className="chip"
          activeOptions={{ exact: true }}
          aria-current={to === current ? 'true' : undefined}
        >
          {label}
          <Badge count={count} what={what} />
        </Link>
      ))}
    </>
  );
}

/** The lists of people, and what is open of them: a tag, a person, a contact or a group. */
export function PeopleLayout() {
  const shown = useShownPath();
  const opened_from = useOpenedFrom(shown);
  const path = shown.replace(/\/$/, '');
  const current = listOf(path, opened_from);
  const is_beside_another = useContext(ListBeside) !== undefined;
  if (current === undefined || is_beside_another) return <Outlet />;
  return (
    <ListBeside.Provider value={current}>
      <SectionPanes
        title={i18n.t('People')}
        nav={<Lists current={current} />}
        current={current}
        list={LISTS[current]}
        is_alone={path === current}
        beside={<Nothing of={current} />}
      />
    </ListBeside.Provider>
  );
}
