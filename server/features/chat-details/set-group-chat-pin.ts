import { lockGroupMessage } from '../../domain/chat/group-chats.ts';
import { requireAdministeredGroup } from '../../domain/contacts/groups.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { chatPinned } from './events.ts';
import { updatePinned } from './queries.ts';
import { GroupMessagePath, PinBody } from './schemas.ts';

export const setGroupChatPin = endpoint({
  id: 'setGroupChatPin',
  route: 'PUT /groups/{group_id}/chat/{message_id}/pin',
  summary: 'Pin a message of a group',
  description: 'For everyone in the group; or unpin it. For the owner and admins.',
  extension: true,
  throttle: 'chat',
  path: GroupMessagePath,
  body: PinBody,
  errors: ['forbidden', 'limit_reached'],
  async run({ path, body: { pinned }, caller, db, emit }) {
    const { selectRecipients } = await lockGroupMessage(db, path, caller.user_id);
    await requireAdministeredGroup(db, path.group_id, caller.user_id);
    const pin = { ...path, pinned };
    if (await updatePinned(db, pin)) emit(chatPinned, await selectRecipients(), pin);
  },
});
