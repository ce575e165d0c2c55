import { isHosting } from '../../domain/calls/state/call-people.ts';
import { Call, handOf, presentCall, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { updateOpenCall } from '../../domain/calls/update-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { clearHands } from './queries.ts';

export const lowerHands = endpoint({
  id: 'lowerHands',
  route: 'DELETE /calls/active/hands',
  summary: 'Lower all hands',
  description: 'For the host and co-hosts.',
  throttle: 'call_update',
  extension: true,
  reply: Call,
  errors: ['not_found', 'forbidden'],
  async run({ caller, ...change }) {
    const { db } = change;
    const { join_code } = found(await selectActiveCall(db, caller.user_id));
    const updated = await updateOpenCall(change, join_code, caller.user_id, async ({ call }) => {
      if (!isHosting(call, caller.user_id))
        fail('forbidden', { message: 'Only a host can lower the hands of others.' });
      const raised = call.participants.filter((one) => handOf(one) !== null);
      if (raised.length === 0) return false;
      for (const one of raised) one.hand_raised_at = null;
      await clearHands(db, call.id);
      return true;
    });
    return presentCall(updated, viewerOf({ caller, ...change }));
  },
});
