import { endCall as end, leaveCall } from '../../domain/calling.ts';
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
    if (active.host_id !== caller.user_id) await leaveCall(change, services, active.id, caller.user_id);
    else await end(change, services, active.id, 'hung_up');
  },
});
