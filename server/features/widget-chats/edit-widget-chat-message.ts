import { editMessage } from '../../domain/chat/message-actions.ts';
import { EditBody } from '../../domain/chat/reactions-and-edits.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { lockWidgetMessage } from '../../domain/chat/widget-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { WidgetMessagePath } from './schemas.ts';

export const editWidgetChatMessage = endpoint({
  id: 'editWidgetChatMessage',
  route: 'PATCH /widgets/{widget_id}/chat/{message_id}',
  summary: 'Edit your message in a widget',
  description: 'Within 15 minutes. All readers of the message can see its earlier versions.',
  gate: 'guest',
  extension: true,
  throttle: 'chat',
  path: WidgetMessagePath,
  body: EditBody,
  reply: ChatMessage,
  errors: ['forbidden', 'edit_closed'],
  async run({ path, body, ...change }) {
    const locked = await lockWidgetMessage(change.db, path, change.caller);
    return editMessage(change, locked, viewerOf(change), body.body);
  },
});
