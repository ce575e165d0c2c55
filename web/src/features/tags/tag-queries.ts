import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

/** A tag by its identifier or its name. */
export function tagQuery(xtag_id: string) {
  return queryOptions({
    queryKey: ['tag', xtag_id],
    queryFn: ({ signal }) => sdk.tags.getTag({ path: { xtag_id }, signal }),
  });
}
