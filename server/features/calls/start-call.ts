import { Call, media_values, presentCall, privacy_values } from '../../domain/calls/state/calls.ts';
import { requireCallees, Targets } from '../../domain/calls/start/callees.ts';
import { startGuestCall } from '../../domain/calls/start/guest-calls.ts';
import { createCall } from '../../domain/calls/start/start-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { isGuest } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, oneOf, optional } from '../../kernel/schema.ts';

export const startCall = endpoint({
  id: 'startCall',
  route: 'POST /calls',
  summary: 'Start a call',
  gate: 'guest',
  throttle: 'call',
  body: object({
    to: Targets,
    privacy: optional(oneOf(...privacy_values)),
    media: optional(oneOf(...media_values)),
  }),
  reply: Call,
  status: [201],
  errors: ['call_in_progress', 'forbidden', 'lines_busy', 'plan_limit_reached'],
  async run({ caller, body: { to, ...wanted }, ...change }) {
    if (isGuest(caller)) {
      const call = await startGuestCall(change, caller, { to, ...wanted });
      return presentCall(call, viewerOf({ caller, ...change }));
    }
    const { callees, group_id } = await requireCallees(change, to, caller.user_id);
    const call = await createCall(change, caller, { ...wanted, callees, group_id });
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
