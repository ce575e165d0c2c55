import { Call, presentCall } from '../../domain/calls/state/calls.ts';
import { requireDialable } from '../../domain/calls/phones/phone-policy.ts';
import { inviteMore } from '../../domain/calls/start/start-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, optional, lineText, Type } from '../../kernel/schema.ts';

export const bridgePhone = endpoint({
  id: 'bridgePhone',
  route: 'POST /calls/active/bridge-phone',
  summary: 'Call a phone into your call',
  description: 'Rings a phone number and connects it to the call.',
  throttle: 'call',
  body: object({ number: Type.String({ minLength: 2, maxLength: 32 }), name: optional(lineText(1, 60)) }),
  reply: Call,
  status: [201],
  errors: ['not_found', 'plan_limit_reached'],
  async run({ caller, body, ...change }) {
    const phone = requireDialable(change.services, 'number', body.number);
    const named = body.name === undefined ? { name: 'Phone', name_is_default: true } : { name: body.name };
    const callee = { field: 'number', ...named, user: null, phone, contact_id: null };
    const call = await inviteMore(change, caller, [callee]);
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
