import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { ArrowLeft, SquarePen, Users } from 'lucide-react';
import { PageHeading } from '../../ui/page.tsx';
import '../chat/chat.css';
import { ChatList } from './chat-list.tsx';
import { RequestList } from './request-list.tsx';

/** The head of the list; its title is the page's only while no chat is open. */
function ListHead({ title, is_alone, is_requests }: { title: string; is_alone: boolean; is_requests: boolean }) {
  return (
    <header className="bar">
      {is_requests ? (
        <Link to="/messages" className="ib">
          <ArrowLeft aria-hidden="true" />
          <span className="visually-hidden">Back to your chats</span>
        </Link>
      ) : null}
      <div className="list-title">{is_alone ? <PageHeading key={title} title={title} /> : <h2>{title}</h2>}</div>
      {is_requests ? null : (
        <>
          <Link to="/groups" className="ib">
            <Users aria-hidden="true" />
            <span className="visually-hidden">Your groups</span>
          </Link>
          <Link to="/people" className="ib">
            <SquarePen aria-hidden="true" />
            <span className="visually-hidden">Write to someone</span>
          </Link>
        </>
      )}
    </header>
  );
}

/** The list of chats, and beside it the one that is open; on a phone one of the two. */
export function ChatsLayout() {
  const { pathname } = useLocation();
  const is_requests = pathname === '/messages/requests';
  const is_alone = is_requests || /^\/messages\/?$/.test(pathname);
  return (
    <main id="main" tabIndex={-1} className={is_alone ? 'panes chats' : 'panes chats show-detail'}>
      <section className="pane list" aria-label={is_requests ? 'Requests' : 'Chats'}>
        <ListHead title={is_requests ? 'Requests' : 'Chats'} is_alone={is_alone} is_requests={is_requests} />
        {is_requests ? <RequestList /> : <ChatList />}
      </section>
      <section className="pane detail" aria-label="Open chat">
        <Outlet />
      </section>
    </main>
  );
}
