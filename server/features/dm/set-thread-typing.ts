import { presentUser, requireAccount } from '../../domain/accounts/accounts.ts';
import { dmTyping, requireThread } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { ThreadPath } from './schemas.ts';

export const setThreadTyping = endpoint({
  id: 'setThreadTyping',
  route: 'POST /dm/threads/{thread_id}/typing',
  summary: 'Send a typing indicator in a thread',
  extension: true,
  idempotent: false,
  throttle: 'typing',
  path: ThreadPath,
  async run({ path, caller, db, afterCommit, services }) {
    const thread = await requireThread(db, path.thread_id, caller.user_id);
    if (thread.state !== 'active' || thread.peer_gone) return;
    const user = presentUser(await requireAccount(db, caller.user_id), { services });
    // No typing events in a thread that the peer cannot see yet.
    if (!thread.last_message) return;
    afterCommit(() => services.broadcast(dmTyping, [thread.peer.id], { thread_id: thread.id, user }));
  },
});
