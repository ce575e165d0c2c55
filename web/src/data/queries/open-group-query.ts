import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

export type PublicGroup = Extract<Reply<'publicLinks', 'getPublicLink'>, { kind: 'group' }>;

/** What the invite link of a group shows to anyone who opens it; null for a link of something else. */
export const openGroupQuery = (token: string) =>
  queryOptions({
    queryKey: ['open-group', token],
    queryFn: async ({ signal }): Promise<PublicGroup | null> => {
      const link = await sdk.publicLinks.getPublicLink({ path: { token }, signal });
      return link.kind === 'group' ? link : null;
    },
    retry: false,
  });
