import { lockThreadMessage } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { chatPinned } from './events.ts';
import { updatePinned } from './queries.ts';
import { PinBody } from './schemas.ts';

export const setThreadPin = endpoint({
  id: 'setThreadPin',
  route: 'PUT /dm/threads/{thread_id}/chat/{message_id}/pin',
  summary: 'Pin a message of a thread',
  description: 'For both people, once the request is accepted; or unpin it.',
  extension: true,
  throttle: 'chat',
  path: object({ thread_id: idOf('thr'), message_id: idOf('dm') }),
  body: PinBody,
  errors: ['account_deleted', 'thread_pending', 'limit_reached'],
  async run({ path, body: { pinned }, caller, db, emit }) {
    const { user_id } = caller;
    const { thread, message } = await lockThreadMessage(db, path, user_id);
    if (thread.peer_gone) fail('account_deleted', { message: 'This account was deleted.' });
    if (thread.state !== 'active') fail('thread_pending', { message: 'Accept the request to pin it.' });
    const pin = { thread_id: thread.id, message_id: message.id, pinned };
    if (await updatePinned(db, pin)) emit(chatPinned, [`user:${user_id}`, `user:${thread.peer.id}`], pin);
  },
});
