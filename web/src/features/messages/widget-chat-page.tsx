import type { ChatMessage } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { widgetMessagesKey } from '../chat/chat-queries.ts';
import { showChat } from '../chat/chat-message.ts';
import type { ChatSource } from '../chat/chat-message.ts';
import { Composer, MAX_MESSAGE_FILES } from '../chat/composer/composer.tsx';
import { MessageList } from '../chat/list/message-list.tsx';
import { ChatTop } from '../chat/selection/selection-bar.tsx';
import type { ChatStart } from '../chat/chat-place.ts';
import { useChat } from '../chat/use-chat.ts';
import { useMessages } from '../chat/use-messages.ts';
import { TypingLine, useTypists } from '../chat/typing-line.tsx';
import { useIsMePending, useMe } from '../../data/queries/me-query.ts';
import { widgetsQuery } from '../../data/queries/widget-queries.ts';
import { PlainMenu, useChatMenu } from './chat-menu.tsx';
import { ALL_GUESTS } from './found-chat.tsx';
import { ChatError, ChatHeader, ChatLoading } from './chat-header.tsx';
import { useMessageActions } from './use-message-actions.tsx';
import { nameOfGuest } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';

interface WidgetChatPlace {
  widget_id: string;
  /** The guest of the conversation; `ALL_GUESTS` for all messages of the widget. */
  guest_id: string;
}

/** The chat as the API names it. */
const sourceOf = ({ widget_id, guest_id }: WidgetChatPlace): ChatSource & { widget_id: string } =>
  guest_id === ALL_GUESTS ? { widget_id } : { widget_id, guest_id };

function Head({ widget_id, guest_id, name }: WidgetChatPlace & { name: string }) {
  const widget = useQuery(widgetsQuery).data?.items.find(({ id }) => id === widget_id);
  const menu = useChatMenu(sourceOf({ widget_id, guest_id }));
  return (
    <ChatHeader
      back="/messages"
      title={name}
      detail={
        widget === undefined
          ? i18n.t('A guest of your widget')
          : i18n.t('A guest of {name}', { name: widget.title || `*${widget.tag.name}` })
      }
      picture={<Avatar name={name} size_px={38} />}
    >
      <PlainMenu label={i18n.t('More about {name}', { name })}>{menu.items}</PlainMenu>
      {menu.sheet}
    </ChatHeader>
  );
}

/** The loaded messages, and how to load others. */
function useWidgetMessages(chat: WidgetChatPlace, at: string | undefined) {
  const { widget_id, guest_id } = chat;
  const { widget_id: _, ...whose } = sourceOf(chat);
  const list = useMessages<ChatMessage>({
    queryKey: widgetMessagesKey(widget_id, guest_id),
    load: (query, signal) =>
      sdk.widgetChats.listWidgetChat({ path: { widget_id }, query: { ...query, ...whose }, signal }),
    at,
  });
  const navigate = useNavigate();
  const enter = (start: ChatStart) =>
    navigate({
      to: '/messages/widget/$widgetId/$guestId',
      params: { widgetId: widget_id, guestId: guest_id },
      search: { at: start.at },
      replace: true,
    });
  return { list, enter };
}

function Chat({ at, ...chat }: WidgetChatPlace & { at: string | undefined }) {
  const { widget_id, guest_id } = chat;
  const is_all = guest_id === ALL_GUESTS;
  const me = useMe();
  const place = useMemo(() => ({ kind: 'widget' as const, id: widget_id, guest_id }), [widget_id, guest_id]);
  const { list, enter } = useWidgetMessages(chat, at);
  const typists = useTypists({ widget_id, guest_id }, me?.id, list.items[0]);
  const sent = useMemo(() => list.items.map((one) => showChat(one, me?.id)), [list.items, me?.id]);
  const { messages, outbox, shown } = useChat({ place, list, sent, at, enter });
  const { rows, dialog, writing, several, editNewest } = useMessageActions({
    place,
    is_open: !is_all,
    may_delete_all: true,
    may_report: true,
    may_select: true,
    chat: sourceOf(chat),
    readers: 'everyone',
  });
  if (list.isPending) return <ChatLoading what={i18n.t('Loading the messages')} />;
  if (list.isError && list.items.length === 0)
    return (
      <ChatError error={list.error} onRetry={() => void list.refetch()} text={i18n.t('The widget may be deleted.')} />
    );
  const guest = list.items.find(({ author }) => author?.guest?.id === guest_id)?.author?.guest;
  const name = is_all ? i18n.t('All guests') : guest ? nameOfGuest(guest) : i18n.t('Guest');
  return (
    <>
      <ChatTop {...several} messages={messages}>
        <Head {...chat} name={name} />
      </ChatTop>
      <MessageList
        key={at ?? 'latest'}
        {...shown}
        label={i18n.t('Messages with {name}', { name })}
        is_group
        {...rows}
        empty={i18n.t('Your guest sees your messages right away.')}
      />
      <TypingLine names={typists} />
      {is_all ? null : (
        <Composer
          place={place}
          outbox={outbox}
          hint={i18n.t('Message {name}', { name: name })}
          drop_hint={i18n.t('Drop files to send to {name}', { name })}
          max_files={MAX_MESSAGE_FILES}
          writing={writing}
          onEditNewest={() => editNewest(messages)}
        />
      )}
      {dialog}
    </>
  );
}

/** The conversation of a widget's guest with those who serve it. */
export function WidgetChatPage() {
  const { widgetId, guestId } = useParams({ from: '/signed-in/messaging/messages/widget/$widgetId/$guestId' });
  const { at } = useSearch({ from: '/signed-in/messaging/messages/widget/$widgetId/$guestId' });
  if (useIsMePending()) return <ChatLoading what={i18n.t('Loading the messages')} />;
  return <Chat key={`${widgetId} ${guestId}`} widget_id={widgetId} guest_id={guestId} at={at} />;
}
