import { chatDeleted, chatMessage, chatRead, chatTyping } from '../../domain/chat/messages.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteGroupChatMessage } from './delete-group-chat-message.ts';
import { deleteWidgetChatMessage } from './delete-widget-chat-message.ts';
import { pushGroupMessage, pushWidgetMessage } from './jobs.ts';
import { listGroupChat } from './list-group-chat.ts';
import { listWidgetChat } from './list-widget-chat.ts';
import { postGroupChat } from './post-group-chat.ts';
import { postWidgetChat } from './post-widget-chat.ts';
import { readGroupChat } from './read-group-chat.ts';
import { typeInGroupChat } from './type-in-group-chat.ts';

export const chats = feature({
  area: 'chats',
  title: 'Mini chat',
  endpoints: [
    listGroupChat,
    postGroupChat,
    deleteGroupChatMessage,
    readGroupChat,
    typeInGroupChat,
    listWidgetChat,
    postWidgetChat,
    deleteWidgetChatMessage,
  ],
  events: [chatMessage, chatDeleted, chatTyping, chatRead],
  jobs: [pushGroupMessage, pushWidgetMessage],
});
