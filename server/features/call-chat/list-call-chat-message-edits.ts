import { requireCallMessage } from '../../domain/chat/call-chat.ts';
import { MessageEdits, selectEdits } from '../../domain/chat/reactions-and-edits.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { CallMessagePath } from './schemas.ts';

export const listCallChatMessageEdits = endpoint({
  id: 'listCallChatMessageEdits',
  route: 'GET /calls/{join_code}/chat/{message_id}/edits',
  summary: 'List the edits of a call message',
  gate: 'guest',
  extension: true,
  path: CallMessagePath,
  reply: MessageEdits,
  async run({ path, caller, db }) {
    await requireCallMessage(db, path, callerIdOf(caller));
    return { items: await selectEdits(db, 'call', path.message_id) };
  },
});
