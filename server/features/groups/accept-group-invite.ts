import {
  GroupInvite,
  inviteWithdrawn,
  lockGroup,
  presentInvite,
  emitGroup,
} from '../../domain/contacts/group-invites.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { acceptInvite, lockInvite, selectInviter } from './queries.ts';

export const acceptGroupInvite = endpoint({
  id: 'acceptGroupInvite',
  route: 'POST /group-invites/{invite_id}/accept',
  summary: 'Accept a group invite',
  throttle: 'shared_update',
  path: object({ invite_id: idOf('ginv') }),
  reply: GroupInvite,
  errors: ['already_decided'],
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const { db, now } = change;
    const { owner_id, group_id } = found(await selectInviter(db, path.invite_id, viewer.id));
    // People first, then the group, then the invite: all code locks relations in this order, so that there are no
    // deadlocks.
    await lockPair(db, viewer.id, owner_id);
    await lockGroup(db, group_id);
    const invite = found(await lockInvite(db, path.invite_id, viewer.id));
    if (invite.state !== 'pending') fail('already_decided');
    await acceptInvite(db, invite.id, now);
    await clearNotifications(change, [invite.id]);
    change.emit(inviteWithdrawn, [`user:${viewer.id}`], { id: invite.id });
    await emitGroup(change, invite.group_id);
    await notify(change, {
      to: owner_id,
      kind: 'group_joined',
      subject: { type: 'group', id: invite.group_id },
      actor_id: viewer.id,
      source_id: invite.id,
    });
    return presentInvite({ ...invite, state: 'accepted', decided_at: now }, viewer);
  },
});
