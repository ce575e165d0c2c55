import { editMessage } from '../../domain/chat/message-actions.ts';
import { EditBody } from '../../domain/chat/reactions-and-edits.ts';
import { lockGroupMessage } from '../../domain/chat/group-chats.ts';
import { mentionInEdit } from '../../domain/chat/group-mentions.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { usernamesIn } from '../../domain/social/mentions.ts';
import { lockNamedPairs } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupMessagePath } from './schemas.ts';

export const editGroupChatMessage = endpoint({
  id: 'editGroupChatMessage',
  route: 'PATCH /groups/{group_id}/chat/{message_id}',
  summary: 'Edit your message in a group',
  description:
    'Within 15 minutes. All readers of the message can see its earlier versions. Newly mentioned members are notified.',
  extension: true,
  throttle: 'chat',
  path: GroupMessagePath,
  body: EditBody,
  reply: ChatMessage,
  errors: ['forbidden', 'edit_closed'],
  async run({ path, body, ...change }) {
    const viewer = viewerOf(change);
    const [, locked] = await Promise.all([
      lockNamedPairs(change.db, viewer.id, { usernames: usernamesIn(body.body) }),
      lockGroupMessage(change.db, path, viewer.id),
    ]);
    const place = { group_id: path.group_id, row: locked.row };
    return editMessage(change, locked, viewer, body.body, () => mentionInEdit(change, place, viewer.id, body.body));
  },
});
