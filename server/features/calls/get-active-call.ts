import { Call, presentCall, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';

export const getActiveCall = endpoint({
  id: 'getActiveCall',
  route: 'GET /calls/active',
  summary: 'Get your active call',
  reply: Call,
  errors: ['not_found'],
  async run({ caller, db, services }) {
    return presentCall(found(await selectActiveCall(db, caller.user_id)), { id: caller.user_id, services });
  },
});
