import { feature } from '../../kernel/endpoint.ts';
import { createInvite } from './create-invite.ts';
import { sendInvite } from './jobs.ts';
import { lifecycle } from './lifecycle.ts';
import { listMyInvites } from './list-my-invites.ts';
import { revokeInvite } from './revoke-invite.ts';

export const invites = feature({
  area: 'invites',
  title: 'Invites',
  endpoints: [createInvite, revokeInvite, listMyInvites],
  jobs: [sendInvite],
  lifecycle,
});
