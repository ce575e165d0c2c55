import { InboxMessage, maySeeMessage, presentInboxMessage, selectInbox, emitInbox } from '../../domain/inbox/inbox.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';

export const updateMessage = endpoint({
  id: 'updateMessage',
  route: 'PATCH /inbox/{message_id}',
  summary: 'Mark an inbox message as read or unread',
  path: object({ message_id: idOf('msg') }),
  body: object({ read: Type.Boolean() }),
  reply: InboxMessage,
  async run({ caller, origin, path, body, services, ...change }) {
    const { db, now } = change;
    const moved = await db.run(sql`
      update inbox_messages m set read_at = ${body.read ? now : null}::timestamptz
      where m.id = ${path.message_id} and ${maySeeMessage(caller.user_id)} and (m.read_at is not null) <> ${body.read}::boolean`);
    const [row] = await selectInbox(db, sql`m.id = ${path.message_id} and ${maySeeMessage(caller.user_id)}`);
    const message = presentInboxMessage(found(row), viewerOf({ caller, services, now }), languageOfOrigin(origin));
    if (moved > 0) await emitInbox(change, services, [path.message_id]);
    return message;
  },
});
