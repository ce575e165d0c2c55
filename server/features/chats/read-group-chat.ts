import { markGroupRead, requireGroupMembership } from '../../domain/chat/group-chats.ts';
import { chatRead } from '../../domain/chat/messages.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { markGroupMentionsRead } from '../../domain/notifications/notify.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { GroupPath } from './schemas.ts';
import { isReadable } from './queries.ts';

export const readGroupChat = endpoint({
  id: 'readGroupChat',
  route: 'POST /groups/{group_id}/chat/read',
  summary: 'Mark a group chat as read',
  description: 'Up to a message; never moves backwards.',
  extension: true,
  idempotent: false,
  path: GroupPath,
  body: object({ up_to_id: idOf('chat') }),
  async run({ path, body, caller, ...change }) {
    const { db, emit } = change;
    const [, place] = await Promise.all([
      lockGroup(db, path.group_id),
      requireGroupMembership(db, path.group_id, caller.user_id),
    ]);
    const { up_to_id } = body;
    if (!(await isReadable(db, place, caller.user_id, up_to_id)))
      invalid({ up_to_id: 'is not a message in this chat' });
    const [unread] = await Promise.all([
      markGroupRead(change, place, caller.user_id, up_to_id),
      markGroupMentionsRead(change, { user_id: caller.user_id, group_id: path.group_id, up_to_id }),
    ]);
    if (unread) emit(chatRead, [`user:${caller.user_id}`], { group_id: path.group_id, up_to_id, ...unread });
  },
});
