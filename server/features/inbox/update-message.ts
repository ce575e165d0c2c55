import { emitInbox, InboxMessage, presentInboxMessage } from '../../domain/inbox/inbox.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';
import { selectMessage, setRead } from './queries.ts';

export const updateMessage = endpoint({
  id: 'updateMessage',
  route: 'PATCH /inbox/{message_id}',
  summary: 'Mark an inbox message as read or unread',
  path: object({ message_id: idOf('msg') }),
  body: object({ read: Type.Boolean() }),
  reply: InboxMessage,
  async run({ caller, origin, path, body, ...change }) {
    const { db } = change;
    const is_moved = await setRead(change, path.message_id, caller.user_id, body.read);
    const row = await selectMessage(db, path.message_id, caller.user_id);
    const message = presentInboxMessage(found(row), viewerOf({ caller, ...change }), languageOfOrigin(origin));
    if (is_moved) await emitInbox(change, [path.message_id]);
    return message;
  },
});
