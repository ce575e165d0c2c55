import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { foundContactsKey } from '../../data/queries/contact-queries.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { foundTagsKey } from '../../data/queries/tag-queries.ts';
import type { TypedMention } from './find-mention.ts';
import { knownPeople, knownTags } from './known-names.ts';
import { chooseSuggestions } from './choose-suggestions.ts';
import { suggestContact, suggestPerson, suggestTag } from './suggestions.ts';
import type { Suggestion } from './choose-suggestions.ts';

const PAUSE_MS = 200;

/** What the service finds, once typing pauses; the same requests as those for the guests of an event. */
function useSuggestedNames(sigil: TypedMention['sigil'] | undefined, typed: string): Suggestion[] {
  const q = useDebounced(typed, PAUSE_MS);
  const contacts = useQuery({
    queryKey: foundContactsKey('with-account', q),
    queryFn: ({ signal }) => sdk.contacts.listContacts({ query: { limit: 20, q }, signal }),
    placeholderData: keepPreviousData,
    enabled: sigil === '@' && q !== '',
  });
  const tags = useQuery({
    queryKey: foundTagsKey('owners', q),
    queryFn: ({ signal }) => sdk.tags.searchTags({ query: { q, limit: 10 }, signal }),
    placeholderData: keepPreviousData,
    enabled: sigil !== undefined && q !== '',
  });
  const found = tags.data?.items ?? [];
  if (sigil === '*') return found.map(suggestTag);
  return [...(contacts.data?.items ?? []).flatMap(suggestContact), ...found.map(({ owner }) => suggestPerson(owner))];
}

/**
 * The names that complete a typed one: those in the cache, then those that the service finds.
 * @param people the only ones that can be mentioned: then nothing is looked for
 */
export function useSuggestions(
  mention: TypedMention | undefined,
  people?: readonly Suggestion[],
): readonly Suggestion[] {
  const me = useMe();
  const queries = useQueryClient();
  const found = useSuggestedNames(people === undefined ? mention?.sigil : undefined, mention?.q ?? '');
  if (mention === undefined) return [];
  if (people !== undefined) return mention.sigil === '@' ? chooseSuggestions(people, mention.q) : [];
  const known = mention.sigil === '*' ? knownTags(queries) : knownPeople(queries);
  // Nobody mentions themselves.
  const others = [...known, ...found].filter(({ person }) => person === undefined || person.id !== me?.id);
  return chooseSuggestions(others, mention.q);
}
