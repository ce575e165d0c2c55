import { deleteMessage, writerOf } from '../../domain/chat/message-actions.ts';
import { eraseGroupMessage, lockGroupMessage, selectReaders } from '../../domain/chat/group-chats.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { isGroupAdmin } from '../../domain/contacts/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { GroupMessagePath } from './schemas.ts';

export const deleteGroupChatMessage = endpoint({
  id: 'deleteGroupChatMessage',
  route: 'DELETE /groups/{group_id}/chat/{message_id}',
  summary: 'Delete a group message',
  description:
    'For its author, and the owner and admins of the group. The message remains as a placeholder without content.',
  path: GroupMessagePath,
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const { db } = change;
    const viewer = viewerOf(change);
    const locked = await lockGroupMessage(db, path, viewer.id);
    const author_id = writerOf(locked.row) ?? viewer.id;
    if (author_id !== viewer.id && locked.owner_id !== viewer.id && !(await isGroupAdmin(db, path.group_id, viewer.id)))
      fail('forbidden');
    // The recipients are the readers of the author's message, also when the owner or an admin of the group deletes one.
    const selectRecipients = async () =>
      (await selectReaders(db, locked.row.id, author_id)).map((one) => `user:${one}` as const);
    await deleteMessage(change, { ...locked, selectRecipients }, viewer, () =>
      eraseGroupMessage(change, path.group_id, locked.row.id),
    );
    if (locked.row.mentions.length > 0) await clearNotifications(change, [locked.row.id]);
  },
});
