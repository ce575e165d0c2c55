import { endCall } from '../../domain/calls/hang-up.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { selectGridCall } from './queries.ts';

export const endGridCall = endpoint({
  id: 'endGridCall',
  route: 'DELETE /grid/calls',
  summary: 'End the call to your favourites',
  errors: ['not_found'],
  async run({ caller, ...change }) {
    const call = found(await selectGridCall(change.db, caller.user_id));
    await endCall(change, call.id, 'hung_up');
  },
});
