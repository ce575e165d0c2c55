import { inboxDeleted, inboxMessage, pushInbox } from '../../domain/inbox/inbox.ts';
import { feature } from '../../kernel/endpoint.ts';
import { countUnreadMessages } from './count-unread-messages.ts';
import { deleteMessage } from './delete-message.ts';
import { listInbox } from './list-inbox.ts';
import { updateMessage } from './update-message.ts';
import { lifecycle } from './lifecycle.ts';

export const inbox = feature({
  area: 'inbox',
  title: 'Inbox',
  endpoints: [listInbox, countUnreadMessages, updateMessage, deleteMessage],
  events: [inboxMessage, inboxDeleted],
  jobs: [pushInbox],
  lifecycle,
});
