import { ReactionBody, requireEmoji, setReaction } from '../../domain/chat/reactions-and-edits.ts';
import { emitMessage, lockThreadMessage, selectSides } from '../../domain/messages/threads.ts';
import { DirectMessage, presentDirectMessage, selectDirectMessages } from '../../domain/messages/direct-messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { ThreadMessagePath } from './schemas.ts';

export const setThreadReaction = endpoint({
  id: 'setThreadReaction',
  route: 'PUT /dm/threads/{thread_id}/chat/{message_id}/reaction',
  summary: 'React to a message of a thread',
  description: 'One emoji, replacing your previous one.',
  extension: true,
  throttle: 'chat',
  path: ThreadMessagePath,
  body: ReactionBody,
  reply: DirectMessage,
  errors: ['account_deleted', 'thread_pending'],
  async run({ path, body, ...change }) {
    const { db } = change;
    const viewer = viewerOf(change);
    requireEmoji(body.emoji);
    const { thread, which, message } = await lockThreadMessage(db, path, viewer.id);
    if (thread.peer_gone) fail('account_deleted', { message: 'This account was deleted.' });
    if (thread.state !== 'active') fail('thread_pending', { message: 'Accept the request to react to it.' });
    const is_changed = await setReaction(change, 'dm', {
      message_id: message.id,
      user_or_guest_id: viewer.id,
      emoji: body.emoji,
    });
    if (!is_changed) return presentDirectMessage(message, viewer);
    const [sides, [after]] = await Promise.all([
      selectSides(db, thread.id, viewer.id),
      selectDirectMessages(db, which),
    ]);
    emitMessage(change, sides, found(after));
    return presentDirectMessage(found(after), viewer);
  },
});
