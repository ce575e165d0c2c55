import { lockGroupMessage, requireGroupMessage, selectReaders } from '../../domain/chat/group-chats.ts';
import { ReactionBody, requireEmoji, setReaction } from '../../domain/chat/message-acts.ts';
import { ChatMessage, chatReaction, presentMessage } from '../../domain/chat/messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupMessagePath } from './schemas.ts';

export const setGroupChatReaction = endpoint({
  id: 'setGroupChatReaction',
  route: 'PUT /groups/{group_id}/chat/{message_id}/reaction',
  summary: 'React to a message of a group',
  description: 'With one emoji, in the place of the one before.',
  extension: true,
  throttle: 'chat',
  path: GroupMessagePath,
  body: ReactionBody,
  reply: ChatMessage,
  async run({ path, body: { emoji }, services, ...change }) {
    const { db, emit } = change;
    const viewer = viewerOf({ services, ...change });
    requireEmoji(emoji);
    const { place, row } = await lockGroupMessage(db, path, viewer.id);
    const is_changed = await setReaction(change, 'chat', { message_id: row.id, user_id: viewer.id, emoji });
    if (!is_changed) return presentMessage(row, viewer);
    const [readers, after] = await Promise.all([
      selectReaders(db, row.id, viewer.id),
      requireGroupMessage(db, place, viewer.id, row.id),
    ]);
    const topics = readers.map((one) => `user:${one}` as const);
    emit(chatReaction, topics, { group_id: path.group_id, message_id: row.id, user_id: viewer.id, emoji });
    return presentMessage(after, viewer);
  },
});
