import { declineRing } from '../../domain/calls/hang-up.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const declineCall = endpoint({
  id: 'declineCall',
  route: 'POST /calls/{join_code}/decline',
  summary: 'Decline an incoming call',
  extension: true,
  path: object({ join_code: JoinCode }),
  errors: ['already_decided'],
  run: ({ caller, path, ...change }) => declineRing(change, path.join_code, caller),
});
