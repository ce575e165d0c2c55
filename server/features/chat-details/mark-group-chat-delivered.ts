import { requireGroupMembership, requireGroupMessage } from '../../domain/chat/group-chats.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { updateDelivered } from './queries.ts';
import { GroupPath } from './schemas.ts';

export const markGroupChatDelivered = endpoint({
  id: 'markGroupChatDelivered',
  route: 'POST /groups/{group_id}/chat/delivered',
  summary: 'Confirm delivery of a group chat to a device',
  description:
    'Up to a message, once it was received by the stream or fetched; never moves backwards. Not needed for messages that are marked as read.',
  extension: true,
  idempotent: false,
  path: GroupPath,
  body: object({ up_to_id: idOf('chat') }),
  async run({ path, body: { up_to_id }, caller, db, now }) {
    const place = await requireGroupMembership(db, path.group_id, caller.user_id);
    await requireGroupMessage(db, place, caller.user_id, up_to_id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found')
        invalid({ up_to_id: 'is not a message in this chat' });
      throw error;
    });
    await updateDelivered(db, place, caller.user_id, up_to_id, now);
  },
});
