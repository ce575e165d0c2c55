import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { closeInvite, lockInvite } from './queries.ts';

export const revokeInvite = endpoint({
  id: 'revokeInvite',
  route: 'DELETE /invites/{invite_id}',
  summary: 'Revoke an invite',
  path: object({ invite_id: idOf('inv') }),
  errors: ['already_decided'],
  async run({ path, caller, ...change }) {
    const invite = found(await lockInvite(change, path.invite_id, caller.user_id));
    if (invite.state === 'accepted') fail('already_decided');
    await revokeLink(change, 'invite', invite.id);
    await closeInvite(change.db, invite.id);
  },
});
