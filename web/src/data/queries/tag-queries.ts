import type { Tag } from '@asterism/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useList } from '../lists.ts';

/** All cached tags, and the reader's own as a list and as options to choose from. */
export const tagKey = ['tag'] as const;
export const tagsKey = ['tags'] as const;
export const ownTagsKey = ['own-tags'] as const;
/** All searches for public tags. */
export const tagSearchKey = ['tag-search'] as const;
/** @param use what the results are for, since each use has its own pages */
export const foundTagsKey = (use: 'page' | 'owners' | 'commands', q: string) => [...tagSearchKey, use, q] as const;
/** The followers of each tag. */
export const tagFollowersKey = ['tag-followers'] as const;
export const followersOfKey = (tag_id: string) => [...tagFollowersKey, tag_id] as const;

/** A tag by its identifier or its name. It is read at each visit, since nothing tells a reader that they are blocked. */
export function tagQuery(xtag_id: string) {
  return queryOptions({
    queryKey: [...tagKey, xtag_id],
    queryFn: ({ signal }) => sdk.tags.getTag({ path: { xtag_id }, signal }),
    staleTime: 0,
  });
}

/** The reader's own tags, newest first, page by page. */
export const useTagList = () =>
  useList<Tag>({ queryKey: tagsKey, load: (query, signal) => sdk.tags.listTags({ query, signal }) });

/** The reader's own tags, as options to choose from. */
export const ownTagsQuery = queryOptions({
  queryKey: ownTagsKey,
  queryFn: ({ signal }) => sdk.tags.listTags({ query: { limit: 100 }, signal }),
});

/** The tags of the reader; undefined until they are known. */
const useKnownTags = (): readonly Tag[] | undefined => useQuery(ownTagsQuery).data?.items;

/** Whether the reader's tags are being loaded for the first time. */
export const useAreTagsLoading = (): boolean => useQuery(ownTagsQuery).isPending;

/** The reader's own tags, newest first, as options to choose from. */
export function useOwnTags(): readonly Tag[] {
  return useKnownTags() ?? [];
}

/** Whether it is known that the reader has no tag yet. */
export function useHasNoTag(): boolean {
  return useKnownTags()?.length === 0;
}
