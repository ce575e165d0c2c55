import { Outlet, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BackLink, GoBack } from '../ui/back-link.tsx';
import { ListBeside, useOpenedFrom } from '../ui/hooks/use-list-beside.ts';
import { useShownPath } from '../ui/hooks/use-shown-path.ts';
import { useWide } from '../ui/hooks/use-wide.ts';
import { NothingOpen } from '../ui/panes/panes.tsx';
import { SectionPanes } from '../ui/panes/section-panes.tsx';
import { NotificationActions, NotificationList } from '../features/notifications/notification-list.tsx';
import { SearchPlaceholder, SearchList } from '../features/search/search-list.tsx';
import { FeedList, TagPosts } from './post-lists.tsx';
import { readingListOf } from '../ui/panes/reading-list.ts';
import { i18n } from '../i18n/i18n.ts';

interface Lists {
  title: string;
  back?: ReactNode;
  actions?: ReactNode;
  list: ReactNode;
  beside?: ReactNode;
}

const readQuery = (address: string): string => new URLSearchParams(address.split('?')[1]).get('q') ?? '';

/** What the first pane shows. @param address of the list, with its query */
function listAt(address: string, is_alone: boolean, is_wide: boolean): Lists {
  if (address === '/notifications')
    return {
      title: i18n.t('Activity'),
      actions: <NotificationActions />,
      list: <NotificationList />,
      beside: (
        <NothingOpen title={i18n.t('Nothing selected')} text={i18n.t('Select an entry to see what it is about.')} />
      ),
    };
  if (address.startsWith('/search')) {
    const q = readQuery(address);
    return {
      title: i18n.t('Search'),
      list: <SearchList q={q} is_alone={is_alone} is_wide={is_wide} />,
      beside: <SearchPlaceholder q={q} />,
    };
  }
  if (address === '/') return { title: i18n.t('Home'), list: <FeedList /> };
  const name = decodeURIComponent(address.slice('/t/'.length));
  return {
    title: `*${name}`,
    back: (
      <BackLink to="/t/$name" params={{ name }}>
        {i18n.t('Back to *{name}', { name })}
      </BackLink>
    ),
    list: <TagPosts name={name} />,
  };
}

/**
 * Activity, search and posts, which lead to pages of all sections: a list, and what is open of it. A page that was not
 * opened from such a list is in the layout of its own section.
 */
export function ReadingLayout() {
  const shown = useShownPath();
  const path = shown.replace(/\/$/, '');
  const wide = useWide();
  const { q } = useSearch({ strict: false });
  const list = readingListOf(path, useOpenedFrom(shown));
  if (list === undefined) return <Outlet />;
  const is_alone = list === path;
  const address = is_alone && path === '/search' && q ? `${path}?${new URLSearchParams({ q }).toString()}` : list;
  return (
    <ListBeside.Provider value={address}>
      <SectionPanes
        back={<GoBack to="/" />}
        {...listAt(address, is_alone, wide)}
        current={list.split('?')[0] ?? list}
        is_alone={is_alone}
      />
    </ListBeside.Provider>
  );
}
