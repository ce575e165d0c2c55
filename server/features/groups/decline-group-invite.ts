import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { declineInvite, lockInvite } from './queries.ts';

export const declineGroupInvite = endpoint({
  id: 'declineGroupInvite',
  route: 'POST /group-invites/{invite_id}/decline',
  summary: 'Decline a group invite',
  description: 'The owner is not notified and cannot invite you again for 30 days.',
  path: object({ invite_id: idOf('ginv') }),
  errors: ['already_decided'],
  async run({ path, caller, ...change }) {
    const invite = found(await lockInvite(change.db, path.invite_id, caller.user_id));
    if (invite.state !== 'pending') fail('already_decided');
    await declineInvite(change, invite.id);
  },
});
