import { feature } from '../../kernel/endpoint.ts';
import { chatPinned } from './events.ts';
import { listChatMedia } from './list-chat-media.ts';
import { listGroupChatReceipts } from './list-group-chat-receipts.ts';
import { listMessageReactions } from './list-message-reactions.ts';
import { listPinnedMessages } from './list-pinned-messages.ts';
import { markGroupChatDelivered } from './mark-group-chat-delivered.ts';
import { setGroupChatPin } from './set-group-chat-pin.ts';
import { setThreadPin } from './set-thread-pin.ts';

export const chatDetails = feature({
  area: 'chat-details',
  title: 'Chats of groups and widgets',
  endpoints: [
    listMessageReactions,
    listGroupChatReceipts,
    markGroupChatDelivered,
    listChatMedia,
    listPinnedMessages,
    setThreadPin,
    setGroupChatPin,
  ],
  events: [chatPinned],
});
