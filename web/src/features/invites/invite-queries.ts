import type { Input, Reply } from '@asterism/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';

export type Invite = Reply<'invites', 'listMyInvites'>['items'][number];
export type NewInvite = Input<'invites', 'createInvite'>['body'];

export const invitesKey = ['invites'] as const;

/** What the link of an invite shows to anyone who opens it. */
export const openInviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['open-invite', token],
    queryFn: ({ signal }) => sdk.publicLinks.getPublicLink({ path: { token }, signal }),
    staleTime: Infinity,
    retry: false,
  });

/** Sends an invite, or resends one to the same recipient. */
export function useCreateInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewInvite) => sdk.invites.createInvite({ body }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitesKey }),
  });
}

/** Revokes an invite: its link stops working. */
export function useRevokeInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Invite) => sdk.invites.revokeInvite({ path: { invite_id: id } }),
    onSuccess: (_, { to }) => showToast(i18n.t('Invite to {to} cancelled.', { to })),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: invitesKey }),
  });
}
