import { decideAdmission } from '../../domain/calls/link-guests.ts';
import { isHosting } from '../../domain/calls/state/call-people.ts';
import { requireCall } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { JoinCodePath } from './schemas.ts';

export const declineCallGuests = endpoint({
  id: 'declineCallGuests',
  route: 'DELETE /calls/{join_code}/guests',
  summary: 'Decline all guests waiting to join your call',
  description: 'For the host and co-hosts. Those who have closed the page are declined as well.',
  extension: true,
  path: JoinCodePath,
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, ...change }) {
    const call = await requireCall(change.db, path.join_code, caller.user_id);
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can decide who comes in.' });
    await decideAdmission(change, call, 'declined');
  },
});
