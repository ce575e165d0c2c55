import { MessageEdits, selectEdits } from '../../domain/chat/reactions-and-edits.ts';
import { requireWidgetRole, selectWidgetMessage } from '../../domain/chat/widget-chats.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { WidgetMessagePath } from './schemas.ts';

export const listWidgetChatMessageEdits = endpoint({
  id: 'listWidgetChatMessageEdits',
  route: 'GET /widgets/{widget_id}/chat/{message_id}/edits',
  summary: 'List the edits of a widget message',
  gate: 'guest',
  extension: true,
  path: WidgetMessagePath,
  reply: MessageEdits,
  async run({ path, caller, db }) {
    const place = await requireWidgetRole(db, path.widget_id, caller);
    found(await selectWidgetMessage(db, place, callerIdOf(caller), path.message_id));
    return { items: await selectEdits(db, 'chat', path.message_id) };
  },
});
