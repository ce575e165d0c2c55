import { Thread } from '../../domain/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { answerRequest } from './move-thread.ts';
import { ThreadPath } from './schemas.ts';

export const declineThread = endpoint({
  id: 'declineThread',
  route: 'POST /dm/threads/{thread_id}/decline',
  summary: 'Decline a thread: it takes no more, and whoever began it cannot tell',
  path: ThreadPath,
  reply: Thread,
  errors: ['forbidden', 'already_decided'],
  run: ({ path, caller, services, ...change }) =>
    answerRequest(change, services, { thread_id: path.thread_id, user_id: caller.user_id, answer: 'declined' }),
});
