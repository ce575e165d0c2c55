import { withdrawLinkGuest } from '../../domain/calls/link-guests.ts';
import { isGuest } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { JoinCodePath } from './schemas.ts';

export const withdrawCallGuest = endpoint({
  id: 'withdrawCallGuest',
  route: 'DELETE /calls/{join_code}/guest',
  summary: 'Withdraw your request to join a call',
  description:
    'While you are waiting, with the token of a guest; the token is then revoked. After admission, leave the call instead.',
  gate: 'guest',
  extension: true,
  path: JoinCodePath,
  errors: ['not_found', 'already_decided'],
  async run({ caller, path, ...change }) {
    if (!isGuest(caller)) fail('not_found');
    await withdrawLinkGuest(change, path.join_code, caller.guest_id);
  },
});
