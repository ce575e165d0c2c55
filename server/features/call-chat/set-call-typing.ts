import { presentIds, requireInCall } from '../../domain/chat/call-chat.ts';
import { chatTyping } from '../../domain/chat/messages.ts';
import { presentUser, requireAccount } from '../../domain/accounts/accounts.ts';
import { markDefaultName } from '../../domain/accounts/default-names.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { callerIdOf, isGuest } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const setCallTyping = endpoint({
  id: 'setCallTyping',
  route: 'POST /calls/{join_code}/chat/typing',
  gate: 'guest',
  summary: 'Send a typing indicator in a call',
  idempotent: false,
  throttle: 'typing',
  path: object({ join_code: JoinCode }),
  errors: ['not_in_call'],
  async run({ caller, path, db, afterCommit, services }) {
    const { call, participant } = await requireInCall(db, path.join_code, callerIdOf(caller));
    const who = isGuest(caller)
      ? { user: null, guest: { id: caller.guest_id, name: participant.name, ...markDefaultName(participant) } }
      : { user: presentUser(await requireAccount(db, caller.user_id), { services }), guest: null };
    const others = presentIds(call).filter((id) => id !== callerIdOf(caller));
    const typing = { conference_id: call.id, join_code: call.join_code, ...who };
    afterCommit(() => services.broadcast(chatTyping, others, typing));
  },
});
