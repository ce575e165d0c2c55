import { isHosting } from '../../domain/calls/state/call-people.ts';
import { requireCall } from '../../domain/calls/state/calls.ts';
import { presentCallGuest } from '../../domain/calls/link-guests.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { JoinCodePath, WaitingGuests } from './schemas.ts';
import { selectWaitingGuests } from './queries.ts';

export const listCallGuests = endpoint({
  id: 'listCallGuests',
  route: 'GET /calls/{join_code}/guests',
  summary: 'List the guests waiting to join your call',
  description:
    'For the host and co-hosts; longest waiting first. Guests who have closed the page are listed again once they open it.',
  extension: true,
  path: JoinCodePath,
  reply: WaitingGuests,
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, db, now }) {
    const call = await requireCall(db, path.join_code, caller.user_id);
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can see who is waiting.' });
    const waiting = await selectWaitingGuests(db, call.id, now);
    return { items: waiting.map(presentCallGuest) };
  },
});
