import { hearers, requirePresence } from '../../domain/chat/call-chat.ts';
import { chatTyping } from '../../domain/chat/messages.ts';
import { presentUser, requireAccount } from '../../domain/accounts/accounts.ts';
import { JoinCode } from '../../domain/calls/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const setCallTyping = endpoint({
  id: 'setCallTyping',
  route: 'POST /calls/{join_code}/chat/typing',
  summary: 'Send a typing indicator in a call',
  idempotent: false,
  path: object({ join_code: JoinCode }),
  errors: ['not_in_call'],
  async run({ caller, path, db, emit, services }) {
    const { call } = await requirePresence(db, path.join_code, caller.user_id);
    const user = presentUser(await requireAccount(db, caller.user_id), services.public_url);
    const others = hearers(call).filter((topic) => topic !== `user:${caller.user_id}`);
    emit(chatTyping, others, { conference_id: call.id, join_code: call.join_code, user, guest: null });
  },
});
