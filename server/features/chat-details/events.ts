import { event } from '../../kernel/event.ts';
import { object, idOf, optional, Type } from '../../kernel/schema.ts';

export const chatPinned = event(
  'chat.pinned',
  'A message of a thread or a group was pinned or unpinned, for everyone in the chat.',
  object({
    thread_id: optional(idOf('thr')),
    group_id: optional(idOf('grp')),
    message_id: Type.String({ description: 'Of a direct message or one of the group.' }),
    pinned: Type.Boolean(),
  }),
);
