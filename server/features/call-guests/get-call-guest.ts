import { CallGuest, presentCallGuest } from '../../domain/calls/link-guests.ts';
import { isGuest } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { JoinCodePath } from './schemas.ts';
import { selectGuestByCode } from './queries.ts';

export const getCallGuest = endpoint({
  id: 'getCallGuest',
  route: 'GET /calls/{join_code}/guest',
  summary: 'Get your state as a guest',
  description: 'Whether you are waiting, admitted or declined; with the token of a guest.',
  gate: 'guest',
  extension: true,
  path: JoinCodePath,
  reply: CallGuest,
  errors: ['not_found'],
  async run({ caller, path, db }) {
    if (!isGuest(caller)) fail('not_found');
    const guest = await selectGuestByCode(db, caller.guest_id, path.join_code);
    return presentCallGuest(found(guest));
  },
});
