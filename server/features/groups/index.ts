import { purgeGroup } from './rules/delete-content.ts';
import { groupInvited, inviteWithdrawn } from '../../domain/contacts/group-invites.ts';
import { groupDeleted, groupUpdated } from '../../domain/contacts/groups.ts';
import { feature } from '../../kernel/endpoint.ts';
import { acceptGroupInvite } from './accept-group-invite.ts';
import { addGroupAdmin } from './add-group-admin.ts';
import { addGroupMember } from './add-group-member.ts';
import { createGroup } from './create-group.ts';
import { declineGroupInvite } from './decline-group-invite.ts';
import { deleteGroup } from './delete-group.ts';
import { editGroup } from './edit-group.ts';
import { getGroup } from './get-group.ts';
import { leaveGroup } from './leave-group.ts';
import { listGroupInvites } from './list-group-invites.ts';
import { listGroups } from './list-groups.ts';
import { removeGroupAdmin } from './remove-group-admin.ts';
import { removeGroupMember } from './remove-group-member.ts';
import { removeGroupPerson } from './remove-group-person.ts';
import { transferGroup } from './transfer-group.ts';
import { lifecycle } from './lifecycle.ts';

export const groups = feature({
  area: 'groups',
  title: 'Groups',
  endpoints: [
    listGroups,
    createGroup,
    getGroup,
    editGroup,
    deleteGroup,
    addGroupMember,
    removeGroupMember,
    removeGroupPerson,
    leaveGroup,
    addGroupAdmin,
    removeGroupAdmin,
    transferGroup,
    listGroupInvites,
    acceptGroupInvite,
    declineGroupInvite,
  ],
  events: [groupUpdated, groupDeleted, groupInvited, inviteWithdrawn],
  jobs: [purgeGroup],
  lifecycle,
});
