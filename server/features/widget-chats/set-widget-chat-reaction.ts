import { reactToMessage } from '../../domain/chat/message-actions.ts';
import { ReactionBody, requireEmoji } from '../../domain/chat/reactions-and-edits.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { lockWidgetMessage } from '../../domain/chat/widget-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { WidgetMessagePath } from './schemas.ts';

export const setWidgetChatReaction = endpoint({
  id: 'setWidgetChatReaction',
  route: 'PUT /widgets/{widget_id}/chat/{message_id}/reaction',
  summary: 'React to a message of a widget',
  description: 'One emoji, replacing your previous one. Guests do not see reactions of other guests.',
  gate: 'guest',
  extension: true,
  throttle: 'chat',
  path: WidgetMessagePath,
  body: ReactionBody,
  reply: ChatMessage,
  async run({ path, body: { emoji }, ...change }) {
    requireEmoji(emoji);
    const locked = await lockWidgetMessage(change.db, path, change.caller);
    return reactToMessage(change, locked, viewerOf(change), emoji);
  },
});
