import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { ArrowLeft, SquarePen, Users } from 'lucide-react';
import { useShownPath } from '../../ui/hooks/use-shown-path.ts';
import { Panes, PaneTitle } from '../../ui/panes/panes.tsx';
import '../chat/chat.css';
import { ArchivedList, ChatList } from './list/chat-list.tsx';
import { RequestList } from './list/request-list.tsx';
import { isRequest, threadQuery } from '../../data/queries/message-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

export { readEarlyChats } from './list/early-chats.ts';

/** The content of the list pane by the last part of the address; chats by default. */
const PLACES = {
  requests: {
    get title() {
      return i18n.t('Requests');
    },
    list: <RequestList />,
  },
  archived: {
    get title() {
      return i18n.t('Archived');
    },
    list: <ArchivedList />,
  },
} as const;

/** The header of the list. It is the page's h1 only while no chat is open. */
function ListHead({ title, is_alone, is_chats }: { title: string; is_alone: boolean; is_chats: boolean }) {
  return (
    <header className="bar">
      {is_chats ? null : (
        <Link to="/messages" className="icon-button back-link">
          <ArrowLeft aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Back to your chats')}</span>
        </Link>
      )}
      <PaneTitle title={title} is_page={is_alone} />
      {is_chats ? (
        <>
          <Link to="/groups" className="icon-button">
            <Users aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Your groups')}</span>
          </Link>
          <Link to="/people" className="icon-button">
            <SquarePen aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Message someone')}</span>
          </Link>
        </>
      ) : null}
    </header>
  );
}

/** Whether the open chat is a message request, which is in the list of requests. */
function useHasRequestOpen(): boolean {
  const { threadId } = useParams({ strict: false });
  const thread = useQuery({ ...threadQuery(threadId ?? ''), enabled: threadId !== undefined }).data;
  return thread !== undefined && isRequest(thread);
}

/** The list of chats and the open chat side by side; on a phone one of the two. */
export function ChatsLayout() {
  // That of the shown page: by the address, the pane would change before the chat, and would be seen empty.
  const path = useShownPath();
  const has_request_open = useHasRequestOpen();
  const [, own_place] = /^\/messages\/(requests|archived)$/.exec(path) ?? [];
  const place = own_place ?? (has_request_open ? 'requests' : undefined);
  const { title, list } =
    place === undefined ? { title: i18n.t('Chats'), list: <ChatList /> } : PLACES[place as keyof typeof PLACES];
  const is_alone = own_place !== undefined || /^\/messages\/?$/.test(path);
  return (
    <Panes
      is_alone={is_alone}
      kind="chats"
      labels={{ list: title, detail: i18n.t('Open chat') }}
      list={
        <>
          <ListHead title={title} is_alone={is_alone} is_chats={place === undefined} />
          {list}
        </>
      }
    >
      <Outlet />
    </Panes>
  );
}
