import { hangUpCall } from '../../domain/calls/hang-up.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';

export const endCall = endpoint({
  id: 'endCall',
  route: 'DELETE /calls/active',
  gate: 'guest',
  summary: 'End your active call',
  errors: ['not_found'],
  async run({ caller, ...change }) {
    if (!(await hangUpCall(change, callerIdOf(caller)))) fail('not_found');
  },
});
