import type { ChatMessage } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { widgetMessagesKey } from '../chat/chat-queries.ts';
import { showChat } from '../chat/chat-message.ts';
import { Composer } from '../chat/composer.tsx';
import { MessageList } from '../chat/list/message-list.tsx';
import { useUnsent } from '../chat/outbox-context.tsx';
import { useTypists } from '../chat/use-typists.ts';
import { useMe } from '../me/me-query.ts';
import { widgetsQuery } from '../widgets/widget-queries.ts';
import { ChatGone, ChatHead, ChatWaiting } from './chat-head.tsx';
import { useWidgetTools } from './message-tools.ts';
import { useMessageActs } from './use-message-actions.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { describeTypists } from '../chat/use-typists.ts';

function Chat({ widget_id, guest_id }: { widget_id: string; guest_id: string }) {
  const me = useMe();
  const widget = useQuery(widgetsQuery).data?.items.find(({ id }) => id === widget_id);
  const place = useMemo(() => ({ kind: 'widget' as const, id: widget_id, guest_id }), [widget_id, guest_id]);
  const list = useList<ChatMessage>({
    queryKey: widgetMessagesKey(widget_id, guest_id),
    load: (query, signal) => sdk.chats.listWidgetChat({ path: { widget_id }, query: { ...query, guest_id }, signal }),
  });
  const { unsent, outbox } = useUnsent(place);
  const typists = useTypists({ widget_id, guest_id }, me?.id, list.items[0]);
  const messages = useMemo(() => list.items.map((one) => showChat(one, me?.id)), [list.items, me?.id]);
  const { actsOf, dialog, onReact, onHistory, writing, editNewest } = useMessageActs({
    tools: useWidgetTools(widget_id, guest_id, me?.id ?? ''),
    may_delete_all: true,
    may_report: true,
    readers: 'everyone',
  });
  if (list.isPending) return <ChatWaiting what={i18n.t('Fetching the messages')} />;
  if (list.isError && list.items.length === 0)
    return (
      <ChatGone error={list.error} onRetry={() => void list.refetch()} text={i18n.t('The widget may be deleted.')} />
    );
  const name = list.items.find(({ author }) => author?.guest?.id === guest_id)?.author?.guest?.name ?? i18n.t('Guest');
  return (
    <>
      <ChatHead
        back="/messages"
        title={name}
        detail={
          widget === undefined
            ? i18n.t('A guest of your widget')
            : i18n.t('A guest of {name}', { name: widget.title || `*${widget.tag.name}` })
        }
        picture={<Avatar name={name} size_px={38} />}
      />
      <MessageList
        list={list}
        messages={messages}
        unsent={unsent}
        outbox={outbox}
        label={i18n.t('Messages with {name}', { name })}
        is_group
        actsOf={actsOf}
        onReact={onReact}
        onHistory={onHistory}
        empty={i18n.t('Your guest sees what you write here as soon as you send it.')}
      />
      <p className="typing-line" aria-live="polite">
        {describeTypists(typists)}
      </p>
      <Composer
        place={place}
        outbox={outbox}
        hint={i18n.t('Write to {to}', { to: name })}
        most_files={10}
        is_one_message={false}
        writing={writing}
        onEditNewest={() => editNewest(messages)}
      />
      {dialog}
    </>
  );
}

/** What a guest of a widget and those who serve it write to each other. */
export function WidgetChatPage() {
  const { widgetId, guestId } = useParams({ from: '/signed-in/messaging/messages/widget/$widgetId/$guestId' });
  return <Chat key={`${widgetId} ${guestId}`} widget_id={widgetId} guest_id={guestId} />;
}
