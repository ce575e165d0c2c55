import { detachFiles } from '../../domain/files/files.ts';
import { inboxDeleted, maySeeMessage } from '../../domain/inbox/inbox.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteMessage = endpoint({
  id: 'deleteMessage',
  route: 'DELETE /inbox/{message_id}',
  summary: 'Delete an inbox message',
  path: object({ message_id: idOf('msg') }),
  async run({ caller, path, db, now, emit }) {
    const gone = await db.run(
      sql`delete from inbox_messages m where m.id = ${path.message_id} and ${maySeeMessage(caller.user_id)}`,
    );
    if (gone === 0) fail('not_found');
    await detachFiles(db, [path.message_id], now);
    emit(inboxDeleted, [`user:${caller.user_id}`], { ids: [path.message_id] });
  },
});
