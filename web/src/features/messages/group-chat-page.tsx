import type { ChatMessage } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { laterTextOf } from '../scheduled/later-text.ts';
import { SendLater } from '../scheduled/send-later.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { groupMessages } from './list/chat-messages.ts';
import { archivedGroupsQuery, groupChatsQuery } from '../chat/chat-queries.ts';
import { showInGroup } from '../chat/show-in-group.ts';
import { Composer, MAX_MESSAGE_FILES } from '../chat/composer/composer.tsx';
import { MessageList } from '../chat/list/message-list.tsx';
import { ChatTop } from '../chat/selection/selection-bar.tsx';
import type { ChatStart } from '../chat/chat-place.ts';
import { useChat } from '../chat/use-chat.ts';
import { useMessages } from '../chat/use-messages.ts';
import { useUnreadStart } from '../chat/list/use-unread-start.ts';
import { useMarkRead } from '../chat/use-mark-read.ts';
import { TypingLine, useTypists } from '../chat/typing-line.tsx';
import { mayAdminister } from '../../data/group-role.ts';
import { groupQuery } from '../../data/queries/group-queries.ts';
import type { Group } from '../../data/queries/group-queries.ts';
import { useIsMePending, useMe } from '../../data/queries/me-query.ts';
import { suggestMembers } from '../autocomplete/suggest-members.ts';
import { CallButtons, ChatError, ChatHeader, ChatLoading } from './chat-header.tsx';
import { PlainMenu, useChatMenu, useGroupSettings } from './chat-menu.tsx';
import { PinnedBar } from './pins/pinned-bar.tsx';
import { useRead } from './message-mutations.ts';
import { useClearMark } from './use-clear-mark.ts';
import { useMessageActions } from './use-message-actions.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { describeCount } from '../../i18n/group-text.ts';

function Head({ group }: { group: Group }) {
  const { id, name, avatar_url, member_count } = group;
  const settings = useGroupSettings(id);
  const menu = useChatMenu({ group_id: id }, settings, name);
  useClearMark({ group_id: id }, settings);
  return (
    <ChatHeader
      back="/messages"
      title={name}
      detail={describeCount(group)}
      picture={<Avatar name={name} url={avatar_url} size_px={38} />}
      about={{ to: '/groups/$groupId', params: { groupId: id } }}
    >
      <CallButtons
        target={{ group_id: id }}
        name={name}
        audio_label={i18n.t('Call everyone')}
        is_off={member_count === 0}
      />
      <PlainMenu label={i18n.t('More about {name}', { name })}>{menu.items}</PlainMenu>
      {menu.sheet}
    </ChatHeader>
  );
}

/** The unread messages, from the lists of chats, and whether they are up to date. */
function useUnread(group_id: string) {
  const chats = useQuery(groupChatsQuery);
  const archived = useQuery(archivedGroupsQuery);
  const listed = [...(chats.data?.items ?? []), ...(archived.data?.items ?? [])];
  const chat = listed.find(({ group }) => group.id === group_id);
  const { unread_count, read_up_to } = chat ?? {};
  return { unread_count, read_up_to, is_counted: chat !== undefined && !chats.isFetching };
}

/** A lost typing event does no harm. */
function sendTyping(group_id: string): void {
  sdk.chats.typeInGroupChat({ path: { group_id } }).catch(() => undefined);
}

interface ChatProps {
  group: Group;
  search: ChatStart;
}

/** Where the chat is opened, and how to open it elsewhere. */
function useOpening(id: string, search: ChatStart) {
  const navigate = useNavigate();
  const enter = (start: ChatStart) =>
    navigate({ to: '/messages/group/$groupId', params: { groupId: id }, search: start, replace: true });
  const unread = useUnread(id);
  const onStart = (after: string) => enter({ after });
  return { enter, at: search.at, after: useUnreadStart({ kind: 'group', search, ...unread, onStart }), ...unread };
}

function Chat({ group, search }: ChatProps) {
  const { id } = group;
  const me = useMe();
  const { enter, at, after, unread_count, is_counted } = useOpening(id, search);
  const place = useMemo(() => ({ kind: 'group' as const, id }), [id]);
  const list = useMessages<ChatMessage>({
    ...groupMessages(id),
    at: at ?? after,
  });
  const typists = useTypists({ group_id: id }, me?.id, list.items[0]);
  const onSeen = useMarkRead((unread_count ?? 0) > 0, useRead({ group_id: id }).mutate);
  const sent = useMemo(() => list.items.map((one) => showInGroup(one, me?.id)), [list.items, me?.id]);
  const { messages, outbox, shown } = useChat({ place, list, sent, at, after, unread_count, enter });
  const people = useMemo(() => suggestMembers(group, list.items, me?.id), [group, list.items, me?.id]);
  const { rows, dialog, writing, several, editNewest } = useMessageActions({
    place,
    may_delete_all: mayAdminister(group),
    may_report: true,
    may_select: true,
    chat: { group_id: id },
    may_pin: mayAdminister(group),
    readers: 'everyone',
  });
  return (
    <>
      <ChatTop {...several} messages={messages}>
        <Head group={group} />
      </ChatTop>
      <MessageList
        key={at ?? after ?? 'latest'}
        {...shown}
        is_counted={is_counted}
        onSeen={onSeen}
        label={i18n.t('Messages of {name}', { name: group.name })}
        is_group
        {...rows}
        above={(goTo) => <PinnedBar chat={{ group_id: id }} may_pin={mayAdminister(group)} goTo={goTo} />}
        empty={i18n.t('Everyone in the group can read this chat.')}
      />
      <TypingLine names={typists} />
      <Composer
        place={place}
        outbox={outbox}
        hint={i18n.t('Message {name}', { name: group.name })}
        drop_hint={i18n.t('Drop files to send to {name}', { name: group.name })}
        max_files={MAX_MESSAGE_FILES}
        people={people}
        writing={writing}
        onEditNewest={() => editNewest(messages)}
        extra={(text, clear) => <SendLater read={() => laterTextOf(text, { group_id: id })} onScheduled={clear} />}
        onTyping={() => sendTyping(id)}
      />
      {dialog}
    </>
  );
}

/** The chat of a group. */
export function GroupChatPage() {
  const { groupId } = useParams({ from: '/signed-in/messaging/messages/group/$groupId' });
  const search = useSearch({ from: '/signed-in/messaging/messages/group/$groupId' });
  const group = useQuery(groupQuery(groupId));
  const is_me_pending = useIsMePending();
  if (group.isPending || is_me_pending) return <ChatLoading what={i18n.t('Loading the messages')} />;
  if (group.data === undefined) {
    return (
      <ChatError
        error={group.error}
        onRetry={() => void group.refetch()}
        text={i18n.t('The group may be deleted, or you are no longer in it.')}
      />
    );
  }
  return <Chat key={groupId} group={group.data} search={search} />;
}
