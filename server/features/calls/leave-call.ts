import { leaveCall as leave } from '../../domain/calls/hang-up.ts';
import { JoinCode, requireCall } from '../../domain/calls/state/calls.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const leaveCall = endpoint({
  id: 'leaveCall',
  route: 'POST /calls/{join_code}/leave',
  gate: 'guest',
  summary: 'Leave a call',
  extension: true,
  path: object({ join_code: JoinCode }),
  async run({ caller, path, ...change }) {
    const { id } = await requireCall(change.db, path.join_code, callerIdOf(caller));
    await leave(change, id, callerIdOf(caller));
  },
});
