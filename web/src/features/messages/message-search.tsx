import { useDeferredValue, useState } from 'react';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { ChatSource } from '../chat/chat-message.ts';
import { HighlightedText } from '../chat/highlighted-text.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import type { Found } from './found-chat.tsx';
import { FoundLink, nameOfFound, pictureOfFound } from './found-chat.tsx';
import { ListTime } from './list-time.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { messageSearchKey } from '../../data/queries/message-queries.ts';

/** The scope of a search: one chat, or all of them. */
export type SearchScope = ChatSource | { readonly all_chats: true };

/** Shorter words would match nearly everything. */
const MIN_LENGTH = 2;

/** The messages that match a query, newest first. */
function useFoundMessages(q: string, scope: SearchScope) {
  return useList<Found>({
    queryKey: messageSearchKey(scope, q),
    load: (query, signal) => sdk.chats.searchMessages({ query: { ...query, ...scope, q }, signal }),
    enabled: q.length >= MIN_LENGTH,
  });
}

interface FoundRowProps {
  found: Found;
  asked: string;
  /** Whether the search is in one chat: then a row is named after the author. */
  is_in_chat: boolean;
  onOpen: (() => void) | undefined;
  /** Shows the result; without it, the row links to its chat. */
  onChoose: ((message_id: string) => void) | undefined;
}

/** The message of a search result, and its author by name. */
function authorOf(found: Found, my_id: string | undefined) {
  const { direct_message } = found;
  const message = direct_message ?? found.group_message ?? found.call_message ?? found.widget_message;
  const by = message !== null && 'author' in message ? message.author : undefined;
  const author = direct_message?.sender ?? by?.user ?? undefined;
  const is_own = author !== undefined && author.id === my_id;
  const name = is_own ? i18n.t('You') : author === undefined ? (by?.guest?.name ?? '') : nameOf(author);
  // The peer of a thread and the guest of a conversation are the name of the chat already.
  const is_in_title =
    (found.thread !== null && !is_own) || (by?.guest != null && found.widget?.guest?.id === by.guest.id);
  return { message, author, name, is_in_title };
}

function FoundRow({ found, asked, is_in_chat, onOpen, onChoose }: FoundRowProps) {
  const me = useMe();
  const { message, author, name, is_in_title } = authorOf(found, me?.id);
  const is_shown = !is_in_chat && name !== '' && !is_in_title;
  const shown = (
    <Row
      picture={
        is_in_chat && author !== undefined ? (
          <Avatar name={author.username} called={nameOf(author)} url={author.avatar_url} />
        ) : (
          <Avatar {...pictureOfFound(found)} />
        )
      }
      title={is_in_chat ? name : nameOfFound(found)}
      detail={
        <>
          {is_shown ? `${name}: ` : ''}
          <HighlightedText text={message?.body ?? ''} asked={asked} />
        </>
      }
      at={message ? <ListTime at={message.created_at} /> : null}
    />
  );
  if (onChoose === undefined)
    return (
      <FoundLink found={found} onOpen={onOpen}>
        {shown}
      </FoundLink>
    );
  const choose = () => {
    onChoose(found.id);
    onOpen?.();
  };
  return (
    <button type="button" className="row" onClick={choose}>
      {shown}
    </button>
  );
}

interface ResultsProps {
  asked: string;
  scope?: SearchScope;
  /** Whether there are other results: then the absence of messages is not mentioned. */
  has_others?: boolean;
  onOpen?: () => void;
  onChoose?: ((message_id: string) => void) | undefined;
}

const EVERYWHERE: SearchScope = { all_chats: true };

/** Found messages, each linked to its place in its chat. */
export function FoundMessages({ asked, scope = EVERYWHERE, has_others = false, onOpen, onChoose }: ResultsProps) {
  const list = useFoundMessages(asked, scope);
  const { items } = list;
  if (asked.length < MIN_LENGTH) return null;
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
                <FoundRow
                  found={found}
                  asked={asked}
                  is_in_chat={scope !== EVERYWHERE}
                  onOpen={onOpen}
                  onChoose={onChoose}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <More list={list} what={i18n.t('messages')} />
    </>
  );
}

interface SearchSheetProps {
  scope: ChatSource;
  onClose: () => void;
  /** Shows a result where the chat is not a separate page. */
  onChoose?: (message_id: string) => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Searches in one chat; a selected result is shown in place. */
export function SearchSheet({ scope, onClose, onChoose, returnTo }: SearchSheetProps) {
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  return (
    <Sheet open onClose={onClose} title={i18n.t('Search in chat')} returnTo={returnTo}>
      <SearchField label={i18n.t('Search in chat')} text={text} onText={setText} autoFocus />
      <div className="sheet-rows">
        <FoundMessages asked={asked} scope={scope} onOpen={onClose} onChoose={onChoose} />
      </div>
    </Sheet>
  );
}
