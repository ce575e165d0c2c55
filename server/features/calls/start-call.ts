import { Call, presentCall, privacy_words, sightOf } from '../../domain/conferences.ts';
import { requireInvitees, Targets } from '../../domain/inviting.ts';
import { startConference } from '../../domain/starting.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, oneOf, optional } from '../../kernel/schema.ts';

export const startCall = endpoint({
  id: 'startCall',
  route: 'POST /calls',
  summary: 'Start a call',
  throttle: 'call',
  body: object({
    to: Targets,
    privacy: optional(oneOf(...privacy_words)),
    media: optional(oneOf('audio', 'video')),
  }),
  reply: Call,
  status: [201],
  errors: ['call_in_progress', 'plan_limit_reached'],
  async run({ caller, body: { to, ...wanted }, services, ...change }) {
    const { invitees, group_id } = await requireInvitees(change, services, to, caller.user_id);
    const call = await startConference(change, services, caller, { ...wanted, invitees, group_id });
    return presentCall(call, sightOf(services), caller.user_id);
  },
});
