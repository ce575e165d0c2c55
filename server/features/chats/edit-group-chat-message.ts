import { requireEditable, rewrite } from '../../domain/chat/message-acts.ts';
import { chatEdited, ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { lockGroupMessage, selectReaders } from '../../domain/chat/group-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { GroupMessagePath } from './schemas.ts';

export const editGroupChatMessage = endpoint({
  id: 'editGroupChatMessage',
  route: 'PATCH /groups/{group_id}/chat/{message_id}',
  summary: 'Edit your message in a group',
  description: 'Within 15 minutes. Whoever may read it can read what it said before.',
  extension: true,
  throttle: 'chat',
  path: GroupMessagePath,
  body: object({ body: text(1, 4000) }),
  reply: ChatMessage,
  errors: ['forbidden', 'edit_closed'],
  async run({ path, body, services, ...change }) {
    const { db, now, emit } = change;
    const viewer = viewerOf({ services, ...change });
    const { row } = await lockGroupMessage(db, path, viewer.id);
    if (row.author?.id !== viewer.id) fail('forbidden');
    if (row.forwarded === true) fail('edit_closed', { message: 'A forwarded message cannot be edited.' });
    requireEditable(row.created_at, now);
    if (row.body === body.body) return presentMessage(row, viewer);
    const [, readers] = await Promise.all([
      rewrite(change, 'chat', row, body.body),
      selectReaders(db, row.id, viewer.id),
    ]);
    const edited = { group_id: path.group_id, message_id: row.id, body: body.body, edited_at: wireTime(now) };
    emit(
      chatEdited,
      readers.map((one) => `user:${one}` as const),
      edited,
    );
    return presentMessage({ ...row, body: body.body, edited_at: now }, viewer);
  },
});
