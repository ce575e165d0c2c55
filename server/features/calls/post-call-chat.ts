import { postCallMessage, requireInCall, requireReplyTargetInCall } from '../../domain/chat/call-chat.ts';
import { consumeGuestChat } from '../../domain/chat/guest-budgets.ts';
import { chatBody, ChatMessage, presentMessage, requireContent } from '../../domain/chat/messages.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { Forward, readForwardedMessage } from '../../domain/messages/forwarding.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { callerIdOf, isGuest } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, optional } from '../../kernel/schema.ts';

export const postCallChat = endpoint({
  id: 'postCallChat',
  route: 'POST /calls/{join_code}/chat',
  gate: 'guest',
  throttle: 'call_chat',
  summary: 'Post a chat message in a call',
  path: object({ join_code: JoinCode }),
  body: object({ ...chatBody, forward: optional(Forward) }),
  reply: ChatMessage,
  status: [201],
  is_transactional: true,
  errors: ['not_in_call'],
  async run({ caller, path, body, consume, origin, ...change }) {
    const { forward, ...own } = body;
    const viewer_id = callerIdOf(caller);
    if (isGuest(caller)) {
      if (forward) invalid({ forward: 'is not available to guests' });
      await consumeGuestChat({ consume, origin }, caller);
    }
    const content = forward ? await readForwardedMessage(change.db, viewer_id, forward, own) : requireContent(own);
    const { call, participant } = await requireInCall(change.db, path.join_code, viewer_id);
    const reply_to_id = await requireReplyTargetInCall(change.db, call, viewer_id, body.reply_to);
    const message = { ...content, reply_to_id, forwarded: forward !== undefined };
    return presentMessage(await postCallMessage(change, call, participant, message), viewerOf({ caller, ...change }));
  },
});
