import type { ChatMessage } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { When } from '../../ui/when.tsx';
import { transcriptKey } from '../chat/chat-queries.ts';
import { showInCall } from '../chat/chat-message.ts';
import { Composer } from '../chat/composer/composer.tsx';
import { MessageList } from '../chat/list/message-list.tsx';
import { ChatTop } from '../chat/selection/selection-bar.tsx';
import { useShownChanges, useUnsent } from '../chat/use-unsent.ts';
import { useEntered, useMessages } from '../chat/use-messages.ts';
import { pastCallQuery, type PastCall } from '../../data/queries/history-queries.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { ChatError, ChatHeader, ChatLoading } from './chat-header.tsx';
import { PlainMenu, useChatMenu } from './chat-menu.tsx';
import { nameOfCallChat } from './found-chat.tsx';
import { useMessageActions } from './use-message-actions.tsx';
import { localizeNames } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The maximum number of participants' names in the title. */
const MAX_NAMES = 3;

/** The loaded messages, and how to load others. */
function useTranscript(conference_id: string, at: string | undefined) {
  const list = useMessages<ChatMessage>({
    queryKey: transcriptKey(conference_id),
    load: (query, signal) => sdk.callHistory.listCallTranscript({ path: { conference_id }, query, signal }),
    at,
  });
  const navigate = useNavigate();
  const enter = (search: { at?: string }) =>
    navigate({
      to: '/messages/call/$conferenceId',
      params: { conferenceId: conference_id },
      search,
      replace: true,
    });
  return { list, enter };
}

function Chat({ call, at }: { call: PastCall; at: string | undefined }) {
  const { conference_id, join_code, participants, started_at } = localizeNames(call);
  const me = useMe();
  const place = useMemo(() => ({ kind: 'call' as const, id: join_code, conference_id }), [join_code, conference_id]);
  const { changes, outbox } = useUnsent(place);
  const { list, enter } = useTranscript(conference_id, at);
  const entered = useEntered({ at, has_unsent: false, goToLatest: () => enter({}) });
  const sent = useMemo(() => list.items.map((one) => showInCall(one, me?.id)), [list.items, me?.id]);
  const messages = useShownChanges(sent, changes);
  const others = participants.filter(({ user, phone }) => user?.id !== me?.id && phone === null);
  const name = nameOfCallChat(others.slice(0, MAX_NAMES).map((one) => one.name));
  const is_host = participants.some(({ user, role }) => user?.id === me?.id && role === 'host');
  const menu = useChatMenu({ conference_id });
  const { rows, dialog, writing, several } = useMessageActions({
    place,
    may_reply: false,
    may_delete_all: is_host,
    may_report: true,
    may_select: true,
    chat: { conference_id },
    readers: 'everyone',
  });
  return (
    <>
      <ChatTop {...several} messages={messages}>
        <ChatHeader
          back="/messages"
          title={name}
          detail={<When at={started_at} className="" />}
          picture={<Avatar name={others[0]?.name ?? name} size_px={38} />}
        >
          <PlainMenu label={i18n.t('More about {name}', { name })}>{menu.items}</PlainMenu>
          {menu.sheet}
        </ChatHeader>
      </ChatTop>
      <MessageList
        key={at ?? 'latest'}
        entered={entered}
        list={list}
        messages={messages}
        unsent={[]}
        outbox={undefined}
        label={i18n.t('Messages of {name}', { name })}
        is_group
        {...rows}
        onEnter={(message_id) => void enter({ at: message_id })}
        empty={i18n.t('Nothing was written in this call.')}
      />
      {writing.editing === undefined ? (
        <p className="talk-note">{i18n.t('Only people in the call can write here.')}</p>
      ) : (
        <Composer place={place} outbox={outbox} hint={i18n.t('Edit')} drop_hint="" max_files={0} writing={writing} />
      )}
      {dialog}
    </>
  );
}

/** The chat of a call that is over, or that the reader has left. */
export function CallChatPage() {
  const { conferenceId } = useParams({ from: '/signed-in/messaging/messages/call/$conferenceId' });
  const { at } = useSearch({ from: '/signed-in/messaging/messages/call/$conferenceId' });
  const call = useQuery(pastCallQuery(conferenceId));
  if (call.isPending) return <ChatLoading what={i18n.t('Loading the messages')} />;
  if (call.data == null)
    return (
      <ChatError
        error={call.error}
        onRetry={() => void call.refetch()}
        text={i18n.t('You weren’t in this call, or it is no longer available to you.')}
      />
    );
  return <Chat key={conferenceId} call={call.data} at={at} />;
}
