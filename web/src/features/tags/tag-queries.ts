import type { Tag } from '@asterism/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

/** A tag by its identifier or its name. */
export function tagQuery(xtag_id: string) {
  return queryOptions({
    queryKey: ['tag', xtag_id],
    queryFn: ({ signal }) => sdk.tags.getTag({ path: { xtag_id }, signal }),
  });
}

/** The reader's own tags, newest first, as far as a choice among them needs. */
export function useOwnTags(): readonly Tag[] {
  const tags = useQuery({
    queryKey: ['own-tags'],
    queryFn: ({ signal }) => sdk.tags.listTags({ query: { limit: 100 }, signal }),
  });
  return tags.data?.items ?? [];
}
