import { endCall as end, leaveCall, lockCall } from '../../domain/calling.ts';
import { selectActiveCall } from '../../domain/conferences.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';

export const endCall = endpoint({
  id: 'endCall',
  route: 'DELETE /calls/active',
  summary: 'End the call',
  errors: ['not_found'],
  async run({ caller, services, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    if (active.host_id !== caller.user_id) return leaveCall(change, services, active.id, caller.user_id);
    const call = await lockCall(change, active.id);
    if (call.state !== 'ended') await end(change, services, call, 'hung_up');
  },
});
