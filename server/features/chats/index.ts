import { chatDeleted, chatMessage, chatRead, chatTyping } from '../../domain/chat/messages.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteGroupChatMessage } from './delete-group-chat-message.ts';
import { pushGroupMessage } from './jobs.ts';
import { listGroupChat } from './list-group-chat.ts';
import { postGroupChat } from './post-group-chat.ts';
import { readGroupChat } from './read-group-chat.ts';
import { typeInGroupChat } from './type-in-group-chat.ts';

export const chats = feature({
  area: 'chats',
  title: 'Mini chat',
  endpoints: [listGroupChat, postGroupChat, deleteGroupChatMessage, readGroupChat, typeInGroupChat],
  events: [chatMessage, chatDeleted, chatTyping, chatRead],
  jobs: [pushGroupMessage],
});
