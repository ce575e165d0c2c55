import { CallGuest, decideAdmission, presentCallGuest } from '../../domain/calls/link-guests.ts';
import { isHosting } from '../../domain/calls/state/call-people.ts';
import { JoinCode, requireCall } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object, oneOf } from '../../kernel/schema.ts';
import { selectGuestOfCall } from './queries.ts';

export const decideCallGuest = endpoint({
  id: 'decideCallGuest',
  route: 'POST /calls/{join_code}/guests/{guest_id}',
  summary: 'Admit or decline a guest',
  description: 'For the host and co-hosts. Repeating the same decision has no effect.',
  extension: true,
  path: object({ join_code: JoinCode, guest_id: idOf('gst') }),
  body: object({ action: oneOf('admit', 'decline') }),
  reply: CallGuest,
  errors: ['not_found', 'forbidden', 'already_decided'],
  async run({ caller, path, body, ...change }) {
    const call = await requireCall(change.db, path.join_code, caller.user_id);
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can decide who comes in.' });
    const wanted = body.action === 'admit' ? 'admitted' : 'declined';
    const [decided] = await decideAdmission(change, call, wanted, path.guest_id);
    if (decided) return presentCallGuest(decided);
    const known = await selectGuestOfCall(change.db, path.guest_id, call.id);
    if (found(known).admission !== wanted) fail('already_decided');
    return presentCallGuest(found(known));
  },
});
