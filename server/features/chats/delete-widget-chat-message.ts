import { chatDeleted, presentMessage } from '../../domain/chat/messages.ts';
import { hearersOf, requireWidgetPlace, selectServers, selectWidgetMessage } from '../../domain/chat/widget-chats.ts';
import { releaseFiles } from '../../domain/files/files.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

export const deleteWidgetChatMessage = endpoint({
  id: 'deleteWidgetChatMessage',
  route: 'DELETE /widgets/{widget_id}/chat/{message_id}',
  summary: 'Delete a widget message',
  description: 'For its author and the owner of the widget. Its place stays, without content.',
  gate: 'guest',
  path: object({ widget_id: idOf('wid'), message_id: idOf('chat') }),
  errors: ['forbidden'],
  async run({ path, services, ...change }) {
    const { db, now, emit, caller } = change;
    const viewer = viewerOf({ services, ...change });
    const place = await requireWidgetPlace(db, path.widget_id, caller);
    const row = found(await selectWidgetMessage(db, place, viewer.id, path.message_id));
    if (row.deleted_at) fail('not_found');
    if (viewer.id !== (row.author?.id ?? row.guest?.id) && viewer.id !== place.owner_id) fail('forbidden');
    const erased = await db.run(sql`
      update chat_messages set body = '', file_id = null, deleted_at = ${now} where id = ${row.id} and deleted_at is null`);
    // Somebody else has just deleted it.
    if (erased === 0) fail('not_found');
    const [, { hearers }] = await Promise.all([
      releaseFiles(db, [row.id], now),
      selectServers(db, place, row.author?.id ?? null),
    ]);
    const message = { ...presentMessage(row, { ...viewer, id: '' }), body: '', file: null, deleted_at: wireTime(now) };
    const whose = row.guest_id === null ? {} : { guest_id: row.guest_id };
    emit(chatDeleted, hearersOf(place.widget_id, row.guest_id, hearers), {
      widget_id: place.widget_id,
      ...whose,
      message,
    });
  },
});
