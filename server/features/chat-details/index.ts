import { feature } from '../../kernel/endpoint.ts';
import { listChatMedia } from './list-chat-media.ts';
import { listGroupChatReceipts } from './list-group-chat-receipts.ts';
import { listMessageReactors } from './list-message-reactors.ts';
import { markGroupChatDelivered } from './mark-group-chat-delivered.ts';

export const chatDetails = feature({
  area: 'chat-details',
  title: 'Chats of groups and widgets',
  endpoints: [listMessageReactors, listGroupChatReceipts, markGroupChatDelivered, listChatMedia],
});
