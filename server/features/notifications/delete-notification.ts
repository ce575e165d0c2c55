import { notificationsCleared } from '../../domain/notifications/clear-notifications.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteNotification = endpoint({
  id: 'deleteNotification',
  route: 'DELETE /notifications/{note_id}',
  summary: 'Delete a notification',
  path: object({ note_id: idOf('note') }),
  async run({ caller, path, db, emit }) {
    const gone = await db.run(
      sql`delete from notifications where id = ${path.note_id} and user_id = ${caller.user_id} and not hidden`,
    );
    if (gone === 0) fail('not_found');
    emit(notificationsCleared, [`user:${caller.user_id}`], { ids: [path.note_id] });
  },
});
