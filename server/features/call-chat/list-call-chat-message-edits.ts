import { requirePart, selectCallMessage } from '../../domain/chat/call-chat.ts';
import { MessageEdits, selectEdits } from '../../domain/chat/reactions-and-edits.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { CallMessagePath } from './schemas.ts';

export const listCallChatMessageEdits = endpoint({
  id: 'listCallChatMessageEdits',
  route: 'GET /calls/{join_code}/chat/{message_id}/edits',
  summary: 'List what a message of a call said before',
  gate: 'guest',
  extension: true,
  path: CallMessagePath,
  reply: MessageEdits,
  async run({ path, caller, db }) {
    const viewer_id = callerIdOf(caller);
    const { call } = await requirePart(db, path.join_code, viewer_id);
    found(await selectCallMessage(db, call, viewer_id, path.message_id));
    return { items: await selectEdits(db, 'call', path.message_id) };
  },
});
