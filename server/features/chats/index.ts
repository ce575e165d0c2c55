import { deleteReactionsOf } from '../../domain/chat/reactions-and-edits.ts';
import {
  chatDeleted,
  chatEdited,
  chatMessage,
  chatReaction,
  chatRead,
  chatTyping,
} from '../../domain/chat/messages.ts';
import { chatSettings } from '../../domain/chat/chat-settings.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteGroupChatMessage } from './delete-group-chat-message.ts';
import { editGroupChatMessage } from './edit-group-chat-message.ts';
import { pushGroupMessage } from './jobs.ts';
import { listGroupChat } from './list-group-chat.ts';
import { listGroupChatMessageEdits } from './list-group-chat-message-edits.ts';
import { postGroupChat } from './post-group-chat.ts';
import { readGroupChat } from './read-group-chat.ts';
import { searchMessages } from './search-messages.ts';
import { setGroupChatReaction } from './set-group-chat-reaction.ts';
import { setGroupChatSettings } from './set-group-chat-settings.ts';
import { typeInGroupChat } from './type-in-group-chat.ts';

export const chats = feature({
  area: 'chats',
  title: 'Chats of groups and widgets',
  endpoints: [
    listGroupChat,
    postGroupChat,
    deleteGroupChatMessage,
    editGroupChatMessage,
    listGroupChatMessageEdits,
    setGroupChatReaction,
    setGroupChatSettings,
    readGroupChat,
    typeInGroupChat,
    searchMessages,
  ],
  events: [chatMessage, chatEdited, chatReaction, chatDeleted, chatTyping, chatRead, chatSettings],
  jobs: [pushGroupMessage],
  lifecycle: { purgeAccount: ({ db }, user_id, portion) => deleteReactionsOf(db, 'chat', user_id, portion) },
});
