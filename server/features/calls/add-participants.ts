import { Call, presentCall } from '../../domain/calls/state/calls.ts';
import { requireCallees, Targets } from '../../domain/calls/start/callees.ts';
import { inviteMore } from '../../domain/calls/start/start-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const addParticipants = endpoint({
  id: 'addParticipants',
  route: 'POST /calls/active/participants',
  summary: 'Call a person into your call',
  description: 'Anyone in a call can add people, or ring them again.',
  throttle: 'call',
  body: object({ to: Targets }),
  reply: Call,
  status: [201],
  errors: ['not_found', 'plan_limit_reached'],
  async run({ caller, body, ...change }) {
    const { callees } = await requireCallees(change, body.to, caller.user_id);
    const call = await inviteMore(change, caller, callees);
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
