import { deleteMessage, writerOf } from '../../domain/chat/message-actions.ts';
import { lockWidgetMessage } from '../../domain/chat/widget-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { WidgetMessagePath } from './schemas.ts';

export const deleteWidgetChatMessage = endpoint({
  id: 'deleteWidgetChatMessage',
  route: 'DELETE /widgets/{widget_id}/chat/{message_id}',
  summary: 'Delete a widget message',
  description: 'For its author and the owner of the widget. The message remains as a placeholder without content.',
  gate: 'guest',
  path: WidgetMessagePath,
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const locked = await lockWidgetMessage(change.db, path, change.caller);
    if (viewer.id !== writerOf(locked.row) && viewer.id !== locked.owner_id) fail('forbidden');
    await deleteMessage(change, locked, viewer);
  },
});
