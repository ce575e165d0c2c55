import { Thread } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { answerRequest } from './rules/message-request.ts';
import { ThreadPath } from './schemas.ts';

export const acceptThread = endpoint({
  id: 'acceptThread',
  route: 'POST /dm/threads/{thread_id}/accept',
  summary: 'Accept a message request',
  description: 'Replying also accepts it.',
  path: ThreadPath,
  reply: Thread,
  errors: ['forbidden', 'already_decided'],
  run: ({ path, caller, ...change }) =>
    answerRequest(change, { thread_id: path.thread_id, user_id: caller.user_id, answer: 'active' }),
});
