import { detachFiles } from '../../domain/files/files.ts';
import { deleteReactionsAndEdits } from '../../domain/chat/reactions-and-edits.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { emitMessage, lockThreadMessage, selectSides } from '../../domain/messages/threads.ts';
import { selectDirectMessages } from '../../domain/messages/direct-messages.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { planEraseEvents } from './rules/erase-events.ts';
import { eraseMessage } from './queries.ts';
import { ThreadMessagePath } from './schemas.ts';

export const deleteThreadMessage = endpoint({
  id: 'deleteThreadMessage',
  route: 'DELETE /dm/threads/{thread_id}/chat/{message_id}',
  summary: 'Delete your message in a thread',
  description: 'For both people. It remains in the thread as a placeholder without text and files.',
  path: ThreadMessagePath,
  errors: ['forbidden'],
  async run({ path, caller, ...change }) {
    const { db, now } = change;
    const { thread, which, message } = await lockThreadMessage(db, path, caller.user_id);
    if (message.sender.id !== caller.user_id) fail('forbidden');
    await Promise.all([
      eraseMessage(change, thread, path.message_id),
      deleteReactionsAndEdits(db, 'dm', path.message_id),
      detachFiles(db, [path.message_id], now),
    ]);
    planEraseEvents(change, thread.user_id, thread.peer.id);
    // A request without its message is withdrawn.
    if (thread.state === 'pending') await clearNotifications(change, [thread.id]);
    const [sides, [erased]] = await Promise.all([
      selectSides(db, thread.id, caller.user_id),
      selectDirectMessages(db, which),
    ]);
    emitMessage(change, sides, found(erased));
  },
});
