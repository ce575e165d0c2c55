import { lockCallMessage } from '../../domain/chat/call-chat.ts';
import { reactToMessage } from '../../domain/chat/message-actions.ts';
import { ReactionBody, requireEmoji } from '../../domain/chat/reactions-and-edits.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { CallMessagePath } from './schemas.ts';

export const setCallChatReaction = endpoint({
  id: 'setCallChatReaction',
  route: 'PUT /calls/{join_code}/chat/{message_id}/reaction',
  summary: 'React to a message of a call',
  description: 'One emoji, replacing your previous one; even after the call has ended.',
  gate: 'guest',
  extension: true,
  throttle: 'chat',
  path: CallMessagePath,
  body: ReactionBody,
  reply: ChatMessage,
  errors: ['forbidden'],
  async run({ path, body: { emoji }, ...change }) {
    requireEmoji(emoji);
    const viewer = viewerOf(change);
    const locked = await lockCallMessage(change.db, path, viewer.id);
    return reactToMessage(change, locked, viewer, emoji);
  },
});
