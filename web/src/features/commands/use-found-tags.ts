import type { Tag } from '@asterism/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { foundTagsKey } from '../../data/queries/tag-queries.ts';

const MAX_FOUND = 3;
const PAUSE_MS = 250;

/**
 * Public tags and their owners that match the typed text; of a command its last word is used, which is usually a name.
 */
export function useFoundTags(typed: string): readonly Tag[] {
  const word = typed.split(/\s+/).at(-1) ?? '';
  const q = useDebounced(word.replace(/^[*@]/, ''), PAUSE_MS);
  const found = useQuery({
    queryKey: foundTagsKey('commands', q),
    queryFn: ({ signal }) => sdk.tags.searchTags({ query: { q, limit: MAX_FOUND }, signal }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return q.length > 1 && word !== '' ? (found.data?.items ?? []) : [];
}
