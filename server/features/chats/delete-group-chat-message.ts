import { eraseGroupMessage, lockGroupMessage, selectOthers } from '../../domain/chat/group-chats.ts';
import { chatDeleted, presentMessage } from '../../domain/chat/messages.ts';
import { dropActs } from '../../domain/chat/message-acts.ts';
import { releaseFiles } from '../../domain/files/files.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { wireTime } from '../../kernel/time.ts';
import { GroupMessagePath } from './schemas.ts';

export const deleteGroupChatMessage = endpoint({
  id: 'deleteGroupChatMessage',
  route: 'DELETE /groups/{group_id}/chat/{message_id}',
  summary: 'Delete a group message',
  description: 'For its author and the owner of the group. Its place stays, without content.',
  path: GroupMessagePath,
  errors: ['forbidden'],
  async run({ path, services, ...change }) {
    const { db, now, emit } = change;
    const viewer = viewerOf({ services, ...change });
    const { place, row } = await lockGroupMessage(db, path, viewer.id);
    if (row.author?.id !== viewer.id && place.owner_id !== viewer.id) fail('forbidden');
    const [, , , others] = await Promise.all([
      eraseGroupMessage(change, path.group_id, row.id),
      dropActs(db, 'chat', row.id),
      releaseFiles(db, [row.id], now),
      selectOthers(db, path.group_id, row.author?.id ?? viewer.id),
    ]);
    const topics = [row.author?.id ?? viewer.id, ...others.hearers].map((one) => `user:${one}` as const);
    const erased = {
      ...presentMessage(row, { ...viewer, id: '' }),
      body: '',
      file: null,
      reactions: [],
      deleted_at: wireTime(now),
    };
    emit(chatDeleted, topics, { group_id: path.group_id, message: erased });
  },
});
