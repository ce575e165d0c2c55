import { hangUpCall } from '../../domain/calling.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';

export const endCall = endpoint({
  id: 'endCall',
  route: 'DELETE /calls/active',
  summary: 'End the call',
  errors: ['not_found'],
  async run({ caller, services, ...change }) {
    if (!(await hangUpCall(change, services, caller.user_id))) fail('not_found');
  },
});
