import { requirePresence, postCallMessage } from '../../domain/chat/call-chat.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { JoinCode } from '../../domain/calls/calls.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, text } from '../../kernel/schema.ts';

export const postCallChat = endpoint({
  id: 'postCallChat',
  route: 'POST /calls/{join_code}/chat',
  gate: 'guest',
  summary: 'Post a chat message in a call',
  path: object({ join_code: JoinCode }),
  body: object({ body: text(1, 4000) }),
  reply: ChatMessage,
  status: [201],
  errors: ['not_in_call'],
  async run({ caller, path, body, services, ...change }) {
    const { call, part } = await requirePresence(change.db, path.join_code, callerIdOf(caller));
    return postCallMessage(change, services, call, part, { kind: 'text', body: body.body });
  },
});
