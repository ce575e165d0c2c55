import { editMessage } from '../../domain/chat/chat-acts.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { holdWidgetMessage } from '../../domain/chat/widget-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { EditBody, WidgetMessagePath } from './schemas.ts';

export const editWidgetChatMessage = endpoint({
  id: 'editWidgetChatMessage',
  route: 'PATCH /widgets/{widget_id}/chat/{message_id}',
  summary: 'Edit your message in a widget',
  description: 'Within 15 minutes. Whoever may read it can read what it said before.',
  gate: 'guest',
  extension: true,
  throttle: 'chat',
  path: WidgetMessagePath,
  body: EditBody,
  reply: ChatMessage,
  errors: ['forbidden', 'edit_closed'],
  async run({ path, body, services, ...change }) {
    const held = await holdWidgetMessage(change.db, path, change.caller);
    return editMessage(change, held, viewerOf({ services, ...change }), body.body);
  },
});
