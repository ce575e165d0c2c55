import { EditBody, requireEditable, editText } from '../../domain/chat/reactions-and-edits.ts';
import { emitMessage, lockThreadMessage, selectSides } from '../../domain/messages/threads.ts';
import { DirectMessage, presentDirectMessage, selectDirectMessages } from '../../domain/messages/direct-messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { ThreadMessagePath } from './schemas.ts';

export const editThreadMessage = endpoint({
  id: 'editThreadMessage',
  route: 'PATCH /dm/threads/{thread_id}/chat/{message_id}',
  summary: 'Edit your message in a thread',
  description: 'Within 15 minutes; never a message request to a stranger. Both people can see earlier versions.',
  extension: true,
  throttle: 'chat',
  path: ThreadMessagePath,
  body: EditBody,
  reply: DirectMessage,
  errors: ['forbidden', 'account_deleted', 'edit_closed', 'thread_pending'],
  async run({ path, body, ...change }) {
    const { db, now } = change;
    const viewer = viewerOf(change);
    const { thread, which, message } = await lockThreadMessage(db, path, viewer.id);
    if (message.sender.id !== viewer.id) fail('forbidden');
    if (thread.peer_gone) fail('account_deleted', { message: 'This account was deleted.' });
    if (thread.state !== 'active') fail('thread_pending', { message: 'A message request cannot be edited.' });
    // The message of a request cannot be changed after it was accepted.
    if (thread.decided_at && new Date(message.created_at) < thread.decided_at) fail('edit_closed');
    if (message.forwarded) fail('edit_closed', { message: 'A forwarded message cannot be edited.' });
    requireEditable(message.created_at, now);
    if (message.body === body.body) return presentDirectMessage(message, viewer);
    await editText(change, 'dm', message, body.body);
    const [sides, [edited]] = await Promise.all([
      selectSides(db, thread.id, viewer.id),
      selectDirectMessages(db, which),
    ]);
    emitMessage(change, sides, found(edited));
    return presentDirectMessage(found(edited), viewer);
  },
});
