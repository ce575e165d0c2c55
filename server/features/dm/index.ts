import { lifecycle } from './lifecycle.ts';
import { dmGone, dmMessage, dmThread, dmTyping } from '../../domain/messages/threads.ts';
import { feature } from '../../kernel/endpoint.ts';
import { acceptThread } from './accept-thread.ts';
import { countUnreadDms } from './count-unread-dms.ts';
import { declineThread } from './decline-thread.ts';
import { deleteThreadMessage } from './delete-thread-message.ts';
import { editThreadMessage } from './edit-thread-message.ts';
import { getThread } from './get-thread.ts';
import { eraseEvents } from './rules/erase-events.ts';
import { purgeThreads } from './rules/purge-threads.ts';
import { pushDm } from './rules/push-dm.ts';
import { markThreadDelivered } from './mark-thread-delivered.ts';
import { listThreadMessageEdits } from './list-thread-message-edits.ts';
import { listThreadMessages } from './list-thread-messages.ts';
import { listThreads } from './list-threads.ts';
import { openThread } from './open-thread.ts';
import { postThreadMessage } from './post-thread-message.ts';
import { readThread } from './read-thread.ts';
import { setThreadReaction } from './set-thread-reaction.ts';
import { setThreadSettings } from './set-thread-settings.ts';
import { setThreadTyping } from './set-thread-typing.ts';

export const dm = feature({
  area: 'dm',
  title: 'Direct messages',
  endpoints: [
    listThreads,
    openThread,
    getThread,
    acceptThread,
    declineThread,
    listThreadMessages,
    postThreadMessage,
    deleteThreadMessage,
    editThreadMessage,
    listThreadMessageEdits,
    setThreadReaction,
    setThreadSettings,
    markThreadDelivered,
    readThread,
    setThreadTyping,
    countUnreadDms,
  ],
  events: [dmMessage, dmThread, dmGone, dmTyping],
  jobs: [pushDm, eraseEvents, purgeThreads],
  lifecycle,
});
