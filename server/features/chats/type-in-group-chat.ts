import { presentUser, requireAccount } from '../../domain/accounts/accounts.ts';
import { requireGroupPlace, selectOthers } from '../../domain/chat/group-chats.ts';
import { chatTyping } from '../../domain/chat/messages.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupPath } from './schemas.ts';

export const typeInGroupChat = endpoint({
  id: 'typeInGroupChat',
  route: 'POST /groups/{group_id}/chat/typing',
  summary: 'Send a typing indicator in a group',
  extension: true,
  idempotent: false,
  path: GroupPath,
  async run({ path, caller, db, emit, services }) {
    const [, { recipients }, account] = await Promise.all([
      requireGroupPlace(db, path.group_id, caller.user_id),
      selectOthers(db, path.group_id, caller.user_id),
      requireAccount(db, caller.user_id),
    ]);
    const user = presentUser(account, services.public_url);
    const topics = recipients.map((id) => `user:${id}` as const);
    if (topics.length > 0) emit(chatTyping, topics, { group_id: path.group_id, user, guest: null });
  },
});
