import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { requireWidgetRole, selectWidgetChat } from '../../domain/chat/widget-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { resolveWindow, readWindow, windowQuery } from '../../kernel/page.ts';
import { idOf, listOf, object, optional } from '../../kernel/schema.ts';
import { WidgetPath } from './schemas.ts';

export const listWidgetChat = endpoint({
  id: 'listWidgetChat',
  route: 'GET /widgets/{widget_id}/chat',
  summary: 'List the messages of a widget',
  description: 'Newest first. Guests see their own conversation; the owner sees all.',
  gate: 'guest',
  path: WidgetPath,
  query: object({ ...windowQuery('chat'), guest_id: optional(idOf('gst')) }),
  reply: listOf(ChatMessage),
  async run({ path, query, db, ...input }) {
    const viewer = viewerOf(input);
    const place = await requireWidgetRole(db, path.widget_id, input.caller);
    if (place.guest_id !== undefined && query.guest_id !== undefined && query.guest_id !== place.guest_id)
      invalid({ guest_id: 'is not available to guests' });
    const guest_id = place.guest_id ?? query.guest_id;
    return readWindow(
      resolveWindow('chat', query),
      'm.id',
      (_which, span) => selectWidgetChat(db, place, viewer.id, guest_id, span),
      (row) => presentMessage(row, viewer),
    );
  },
});
