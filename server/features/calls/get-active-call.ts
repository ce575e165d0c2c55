import { Call, presentCall, selectActiveCall, selectRingingCall, callViewOf } from '../../domain/calls/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { object, optional, Type } from '../../kernel/schema.ts';

export const getActiveCall = endpoint({
  id: 'getActiveCall',
  route: 'GET /calls/active',
  summary: 'Get your active call',
  query: object({
    ringing: optional(
      Type.Boolean({
        description:
          'The call that rings the caller instead, for a device that was not there when the ring began. An extension.',
      }),
    ),
  }),
  reply: Call,
  errors: ['not_found'],
  async run({ caller, query, db, services }) {
    const select = query.ringing ? selectRingingCall : selectActiveCall;
    return presentCall(found(await select(db, caller.user_id)), callViewOf(services), caller.user_id);
  },
});
