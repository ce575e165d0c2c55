import { requireAccount } from '../../domain/accounts/accounts.ts';
import { updateOpenCall } from '../../domain/calls/update-call.ts';
import { Call, JoinCode, participantOf, presentCall, requireCall } from '../../domain/calls/state/calls.ts';
import { isActiveLeg } from '../../domain/calls/phones/leg-rows.ts';
import { createLeg } from '../../domain/calls/dialing/phone-legs.ts';
import { planLegs, requireDialable } from '../../domain/calls/phones/phone-policy.ts';
import { isUniqueViolation } from '../../kernel/database/database.ts';
import { joinCall } from '../../domain/calls/join-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { object, optional, Type } from '../../kernel/schema.ts';

export const callMe = endpoint({
  id: 'callMe',
  route: 'POST /calls/{join_code}/call-me',
  summary: 'Join a call with your phone',
  description: 'Rings your own verified number and connects it to the call.',
  throttle: 'call',
  path: object({ join_code: JoinCode }),
  body: object({ number: optional(Type.String({ minLength: 2, maxLength: 32 })) }),
  reply: Call,
  status: [202],
  errors: ['gone', 'phone_ringing', 'call_in_progress', 'plan_limit_reached'],
  async run({ caller, path, body, ...change }) {
    await requireCall(change.db, path.join_code, caller.user_id);
    const { mobile_number } = await requireAccount(change.db, caller.user_id);
    const number = requireDialable(change.services, 'number', body.number ?? mobile_number ?? '');
    if (number !== mobile_number) invalid({ number: 'is not your verified number' });
    const call = await updateOpenCall(change, path.join_code, caller.user_id, async (update) => {
      await joinCall(change, update, caller);
      const participant = participantOf(update.call, caller.user_id);
      if (!participant) return;
      if (participant.leg && isActiveLeg(participant.leg.state))
        fail('phone_ringing', { message: 'Your phone is already ringing.' });
      const [plan] = await planLegs(change.db, caller, [number], change.now);
      if (plan) await createLeg(change, update.call, { participant, number, dialled_by: caller.user_id, ...plan });
      update.touch();
    }).catch((error: unknown) => {
      if (isUniqueViolation(error, 'call_participants_active')) fail('call_in_progress');
      throw error;
    });
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
