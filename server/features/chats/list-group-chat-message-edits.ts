import { requireGroupMessage, requireGroupMembership } from '../../domain/chat/group-chats.ts';
import { MessageEdits, selectEdits } from '../../domain/chat/reactions-and-edits.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupMessagePath } from './schemas.ts';

export const listGroupChatMessageEdits = endpoint({
  id: 'listGroupChatMessageEdits',
  route: 'GET /groups/{group_id}/chat/{message_id}/edits',
  summary: 'List the edits of a group message',
  extension: true,
  path: GroupMessagePath,
  reply: MessageEdits,
  async run({ path, caller, db }) {
    const place = await requireGroupMembership(db, path.group_id, caller.user_id);
    const [, items] = await Promise.all([
      requireGroupMessage(db, place, caller.user_id, path.message_id),
      selectEdits(db, 'chat', path.message_id),
    ]);
    return { items };
  },
});
