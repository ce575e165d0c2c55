import { chatCleared } from '../../domain/chat/cleared-chats.ts';
import { requireGroupMembership } from '../../domain/chat/group-chats.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { clearGroupMentions } from '../../domain/notifications/clear-notifications.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { clearGroupChatOf } from './queries.ts';
import { GroupPath } from './schemas.ts';

export const clearGroupChat = endpoint({
  id: 'clearGroupChat',
  route: 'POST /groups/{group_id}/chat/clear',
  summary: 'Clear the chat of a group for yourself',
  description:
    'You no longer see what was written up to now; the others keep it and are not notified. You stay in the group.',
  extension: true,
  path: GroupPath,
  async run({ path: { group_id }, caller: { user_id }, ...change }) {
    const { db, emit } = change;
    // Locked, so that no message is written meanwhile, and no membership after they have left.
    const [, place] = await Promise.all([lockGroup(db, group_id), requireGroupMembership(db, group_id, user_id)]);
    const up_to_id = await clearGroupChatOf(db, place, user_id);
    if (up_to_id === undefined) return;
    await clearGroupMentions(change, [{ group_id, user_id }]);
    emit(chatCleared, [`user:${user_id}`], { group_id, up_to_id });
  },
});
