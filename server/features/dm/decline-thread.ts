import { Thread } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { answerRequest } from './rules/message-request.ts';
import { ThreadPath } from './schemas.ts';

export const declineThread = endpoint({
  id: 'declineThread',
  route: 'POST /dm/threads/{thread_id}/decline',
  summary: 'Decline a message request',
  description: 'No further messages are accepted; the sender is not notified.',
  path: ThreadPath,
  reply: Thread,
  errors: ['forbidden', 'already_decided'],
  run: ({ path, caller, ...change }) =>
    answerRequest(change, { thread_id: path.thread_id, user_id: caller.user_id, answer: 'declined' }),
});
