import { isHosting } from '../../domain/calls/state/call-people.ts';
import { requireCall } from '../../domain/calls/state/calls.ts';
import { isWaiting, presentCallGuest, selectLinkGuests } from '../../domain/calls/link-guests.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { JoinCodePath, WaitingGuests } from './schemas.ts';

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
    const waiting = await selectLinkGuests(db, sql`gu.call_id = ${call.id} and ${isWaiting(now)}`);
    return { items: waiting.map(presentCallGuest) };
  },
});
