import { isHosting } from '../../domain/calls/state/call-people.ts';
import { lockCallMessage } from '../../domain/chat/call-chat.ts';
import { deleteMessage, writerOf } from '../../domain/chat/message-actions.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { CallMessagePath } from './schemas.ts';

export const deleteCallChatMessage = endpoint({
  id: 'deleteCallChatMessage',
  route: 'DELETE /calls/{join_code}/chat/{message_id}',
  summary: 'Delete a message of a call',
  description:
    'For its author and the host, even after the call has ended, and for co-hosts during the call. The message remains as a placeholder without content.',
  gate: 'guest',
  extension: true,
  path: CallMessagePath,
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const locked = await lockCallMessage(change.db, path, viewer.id);
    if (writerOf(locked.row) !== viewer.id && !isHosting(locked.call, viewer.id)) fail('forbidden');
    await deleteMessage(change, locked, viewer);
  },
});
