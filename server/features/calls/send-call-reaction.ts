import { callReaction } from '../../domain/calls/state/call-events.ts';
import { JoinCode, participantOf, requireCall } from '../../domain/calls/state/calls.ts';
import { isIn } from '../../domain/calls/state/transition.ts';
import { presentIds } from '../../domain/chat/call-chat.ts';
import { requireEmoji } from '../../domain/chat/reactions-and-edits.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';

export const sendCallReaction = endpoint({
  id: 'sendCallReaction',
  route: 'POST /calls/{join_code}/reactions',
  gate: 'guest',
  summary: 'Send a reaction in a call',
  description: 'One emoji, shown briefly to all participants. It is not stored.',
  extension: true,
  idempotent: false,
  throttle: 'chat',
  path: object({ join_code: JoinCode }),
  body: object({ emoji: { ...text(1, 40), description: 'One emoji.' } }),
  async run({ caller, path, body: { emoji }, db, services, afterCommit }) {
    requireEmoji(emoji);
    const call = await requireCall(db, path.join_code, callerIdOf(caller));
    const participant = participantOf(call, callerIdOf(caller));
    if (!participant || !isIn(participant)) fail('not_found');
    const reaction = { join_code: call.join_code, participant_id: participant.id, emoji };
    afterCommit(() => services.broadcast(callReaction, presentIds(call), reaction));
  },
});
