import type { Reply } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Marked } from '../chat/marked.tsx';
import { useMe } from '../me/me-query.ts';
import { ListTime } from './list/list-time.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';

type Found = Reply<'chats', 'searchMessages'>['items'][number];

/** One chat in which is searched; all of them where there is none. */
export type SearchScope =
  | { readonly thread_id: string }
  | { readonly group_id: string }
  | { readonly thread_id?: never; readonly group_id?: never };

/** Shorter words would find nearly everything. */
export const SHORTEST = 2;

/** The messages that hold what was typed, newest first. */
function useFound(q: string, scope: SearchScope) {
  return useList<Found>({
    queryKey: ['message-search', Object.values(scope).join(''), q],
    load: (query, signal) => sdk.chats.searchMessages({ query: { ...query, ...scope, q }, signal }),
    enabled: q.length >= SHORTEST,
  });
}

interface FoundRowProps {
  found: Found;
  asked: string;
  /** Whether the chat is known: then a row is named by who wrote. */
  is_in_chat: boolean;
  onOpen: (() => void) | undefined;
}

function FoundRow({ found, asked, is_in_chat, onOpen }: FoundRowProps) {
  const me = useMe();
  const { thread, group, direct_message, group_message } = found;
  const message = direct_message ?? group_message;
  const author = direct_message?.sender ?? group_message?.author?.user;
  const name = thread === null ? (group?.name ?? '') : nameOf(thread.peer);
  const writer = author == null ? '' : author.id === me?.id ? i18n.t('You') : nameOf(author);
  const by = is_in_chat || writer === '' || (thread !== null && writer !== 'You') ? '' : `${writer}: `;
  const shown = (
    <Row
      picture={
        is_in_chat && author != null ? (
          <Avatar name={author.username} url={author.avatar_url} />
        ) : thread === null ? (
          <Avatar name={name} />
        ) : (
          <Avatar name={thread.peer.username} url={thread.peer.avatar_url} />
        )
      }
      title={is_in_chat ? writer : name}
      detail={
        <>
          {by}
          <Marked text={message?.body ?? ''} asked={asked} />
        </>
      }
      at={message ? <ListTime at={message.created_at} /> : null}
    />
  );
  const at = { at: found.id };
  const look = { className: 'row', search: at, ...(onOpen === undefined ? {} : { onClick: onOpen }) };
  return thread === null ? (
    <Link to="/messages/group/$groupId" params={{ groupId: group?.id ?? '' }} {...look}>
      {shown}
    </Link>
  ) : (
    <Link to="/messages/$threadId" params={{ threadId: thread.id }} {...look}>
      {shown}
    </Link>
  );
}

interface ResultsProps {
  asked: string;
  scope?: SearchScope;
  /** Whether something else was found already: then nothing is said of there being no messages. */
  has_others?: boolean;
  onOpen?: () => void;
}

const EVERYWHERE: SearchScope = {};

/** The messages that were found; each opens its chat where it stands. */
export function FoundMessages({ asked, scope = EVERYWHERE, has_others = false, onOpen }: ResultsProps) {
  const list = useFound(asked, scope);
  const { items } = list;
  if (asked.length < SHORTEST) return null;
  return (
    <>
      {list.isPending ? <Skeleton rows={3} what={i18n.t('Searching')} /> : null}
      {list.isError && items.length === 0 ? (
        <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : null}
      <p className="visually-hidden" role="status">
        {list.isSuccess && items.length > 0
          ? list.hasNextPage
            ? i18n.t('{count} or more messages found', { count: items.length })
            : i18n.t('{count, plural, one {# message found} other {# messages found}}', { count: items.length })
          : ''}
      </p>
      {list.isSuccess && items.length === 0 && !has_others ? (
        <p className="talk-note" role="status">
          {i18n.t('No results for “{asked}”.', { asked })}
        </p>
      ) : null}
      {items.length === 0 ? null : (
        <>
          <p className="list-part" aria-hidden="true">
            {i18n.t('Messages')}
          </p>
          <ul aria-label={i18n.t('Messages')}>
            {items.map((found) => (
              <li key={found.id}>
                <FoundRow found={found} asked={asked} is_in_chat={scope !== EVERYWHERE} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </>
      )}
      <More list={list} what={i18n.t('messages')} />
    </>
  );
}

interface SearchLineProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  autoFocus?: boolean;
}

/** The line in which one types what is searched for; Escape or its button empties it. */
export function SearchLine({ label, text, onText, autoFocus = false }: SearchLineProps) {
  const line = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) line.current?.focus();
  }, [autoFocus]);
  return (
    <div role="search" className="search list-search">
      <Search aria-hidden="true" size={18} />
      <input
        ref={line}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        maxLength={MAX_LENGTH.message_search}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          event.stopPropagation();
          onText('');
        }}
      />
      {text === '' ? null : (
        <button
          type="button"
          className="ib"
          onClick={() => {
            onText('');
            line.current?.focus();
          }}
        >
          <X aria-hidden="true" size={18} />
          <span className="visually-hidden">{i18n.t('Clear the search')}</span>
        </button>
      )}
    </div>
  );
}

interface SearchSheetProps {
  scope: SearchScope;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Searches in one chat; what is chosen opens where it stands. */
export function SearchSheet({ scope, onClose, returnTo }: SearchSheetProps) {
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  return (
    <Sheet open onClose={onClose} title={i18n.t('Search in chat')} returnTo={returnTo}>
      <SearchLine label={i18n.t('Search in chat')} text={text} onText={setText} autoFocus />
      <div className="sheet-rows">
        <FoundMessages asked={asked} scope={scope} onOpen={onClose} />
      </div>
    </Sheet>
  );
}
