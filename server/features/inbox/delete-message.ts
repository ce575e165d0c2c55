import { detachFiles } from '../../domain/files/files.ts';
import { inboxDeleted } from '../../domain/inbox/inbox.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { removeMessage } from './queries.ts';

export const deleteMessage = endpoint({
  id: 'deleteMessage',
  route: 'DELETE /inbox/{message_id}',
  summary: 'Delete an inbox message',
  path: object({ message_id: idOf('msg') }),
  async run({ caller, path, db, now, emit }) {
    if (!(await removeMessage(db, path.message_id, caller.user_id))) fail('not_found');
    await detachFiles(db, [path.message_id], now);
    emit(inboxDeleted, [`user:${caller.user_id}`], { ids: [path.message_id] });
  },
});
