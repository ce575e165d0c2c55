import { reactToMessage } from '../../domain/chat/message-actions.ts';
import { lockGroupMessage } from '../../domain/chat/group-chats.ts';
import { ReactionBody, requireEmoji } from '../../domain/chat/reactions-and-edits.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupMessagePath } from './schemas.ts';

export const setGroupChatReaction = endpoint({
  id: 'setGroupChatReaction',
  route: 'PUT /groups/{group_id}/chat/{message_id}/reaction',
  summary: 'React to a message of a group',
  description: 'One emoji, replacing your previous one.',
  extension: true,
  throttle: 'chat',
  path: GroupMessagePath,
  body: ReactionBody,
  reply: ChatMessage,
  async run({ path, body: { emoji }, ...change }) {
    const viewer = viewerOf(change);
    requireEmoji(emoji);
    const locked = await lockGroupMessage(change.db, path, viewer.id);
    return reactToMessage(change, locked, viewer, emoji);
  },
});
