import { feature } from '../../kernel/endpoint.ts';
import { deleteWidgetChatMessage } from './delete-widget-chat-message.ts';
import { editWidgetChatMessage } from './edit-widget-chat-message.ts';
import { listWidgetChat } from './list-widget-chat.ts';
import { listWidgetChatMessageEdits } from './list-widget-chat-message-edits.ts';
import { postWidgetChat } from './post-widget-chat.ts';
import { setWidgetChatReaction } from './set-widget-chat-reaction.ts';
import { pushWidgetMessage } from './jobs.ts';

export const widgetChats = feature({
  area: 'widget-chats',
  title: 'Chats of groups and widgets',
  endpoints: [
    listWidgetChat,
    postWidgetChat,
    deleteWidgetChatMessage,
    editWidgetChatMessage,
    listWidgetChatMessageEdits,
    setWidgetChatReaction,
  ],
  jobs: [pushWidgetMessage],
});
