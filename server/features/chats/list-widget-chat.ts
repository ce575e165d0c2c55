import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { requireWidgetRole, selectWidgetChat } from '../../domain/chat/widget-chats.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limit, resolveWindow, pageOf, readWindow, windowQuery } from '../../kernel/page.ts';
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
    const { limit = default_limit, offset, ...window } = resolveWindow('chat', query);
    // With an offset, that many messages of both kinds are read.
    const reach = offset === undefined ? undefined : pageOf({ ...window, limit: limit + offset }, 'm.id');
    return readWindow(
      { ...window, limit, ...(offset === undefined ? {} : { offset }) },
      'm.id',
      (which) => selectWidgetChat(db, place, viewer.id, guest_id, which, reach ?? which),
      (row) => presentMessage(row, viewer),
    );
  },
});
