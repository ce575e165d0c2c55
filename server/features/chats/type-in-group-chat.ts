import { presentUser, requireAccount } from '../../domain/accounts/accounts.ts';
import { requireGroupMembership, selectOthers } from '../../domain/chat/group-chats.ts';
import { chatTyping } from '../../domain/chat/messages.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupPath } from './schemas.ts';

export const typeInGroupChat = endpoint({
  id: 'typeInGroupChat',
  route: 'POST /groups/{group_id}/chat/typing',
  summary: 'Send a typing indicator in a group',
  extension: true,
  idempotent: false,
  throttle: 'typing',
  path: GroupPath,
  async run({ path, caller, ...change }) {
    const { db, afterCommit } = change;
    const [, { recipients }, account] = await Promise.all([
      requireGroupMembership(db, path.group_id, caller.user_id),
      selectOthers(change, path.group_id, caller.user_id),
      requireAccount(db, caller.user_id),
    ]);
    const user = presentUser(account, change);
    const typing = { group_id: path.group_id, user, guest: null };
    afterCommit(() => change.services.broadcast(chatTyping, recipients, typing));
  },
});
