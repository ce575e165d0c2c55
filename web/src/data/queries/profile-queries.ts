import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

/** All profiles that are cached. */
export const profileKey = ['profile'] as const;

/** The profile of a tag. It is read at each visit, since nothing tells a reader that they are blocked. */
export const profileQuery = (name: string) =>
  queryOptions({
    queryKey: [...profileKey, name],
    queryFn: ({ signal }) => sdk.profiles.getProfile({ path: { xtag: name }, signal }),
    staleTime: 0,
  });

/** Whether the owner of a tag is live. */
export const profileLiveKey = (name: string) => ['profile-live', name] as const;

/** The comments of all profiles. */
export const allCommentsKey = ['comments'] as const;
export const commentsKey = (tag_id: string) => [...allCommentsKey, tag_id] as const;
