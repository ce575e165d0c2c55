import { notificationsCleared } from '../../domain/notifications/clear-notifications.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { removeNotification } from './queries.ts';

export const deleteNotification = endpoint({
  id: 'deleteNotification',
  route: 'DELETE /notifications/{note_id}',
  summary: 'Delete a notification',
  path: object({ note_id: idOf('note') }),
  async run({ caller, path, db, emit }) {
    if (!(await removeNotification(db, path.note_id, caller.user_id))) fail('not_found');
    emit(notificationsCleared, [`user:${caller.user_id}`], { ids: [path.note_id] });
  },
});
