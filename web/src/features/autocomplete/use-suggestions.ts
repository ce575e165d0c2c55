import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { foundContactsKey } from '../../data/queries/contact-queries.ts';
import { meQuery } from '../../data/queries/me-query.ts';
import { foundTagsKey } from '../../data/queries/tag-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { readTone } from '../emoji/emoji-choices.ts';
import { chatPeersQuery } from './chat-peers-query.ts';
import { emojiQuery } from './emoji-query.ts';
import type { Completion } from './find-completion.ts';
import { knownPeople, knownTags, knowsChats } from './known-names.ts';
import { chooseSuggestions } from './choose-suggestions.ts';
import { suggestEmoji } from './suggest-emoji.ts';
import { suggestContact, suggestPerson, suggestTag } from './suggestions.ts';
import type { Suggestion } from './choose-suggestions.ts';

const PAUSE_MS = 200;

/** The names that the service finds, once typing pauses; the same requests as those for the guests of an event. */
function useSuggestedNames(trigger: Completion['trigger'] | undefined, typed: string): Suggestion[] {
  const q = useDebounced(typed, PAUSE_MS);
  const contacts = useQuery({
    queryKey: foundContactsKey('with-account', q),
    queryFn: ({ signal }) => sdk.contacts.listContacts({ query: { limit: 20, q }, signal }),
    placeholderData: keepPreviousData,
    enabled: trigger === '@' && q !== '',
  });
  const tags = useQuery({
    queryKey: foundTagsKey('owners', q),
    queryFn: ({ signal }) => sdk.tags.searchTags({ query: { q, limit: 10 }, signal }),
    placeholderData: keepPreviousData,
    enabled: (trigger === '@' || trigger === '*') && q !== '',
  });
  const queries = useQueryClient();
  const chats = useQuery({ ...chatPeersQuery, enabled: trigger === '@' && !knowsChats(queries) });
  const found = tags.data?.items ?? [];
  if (trigger === '*') return found.map(suggestTag);
  const peers = chats.data?.items.flatMap(({ peer, peer_gone }) => (peer_gone ? [] : [suggestPerson(peer)])) ?? [];
  const owners = found.map(({ owner }) => suggestPerson(owner));
  return [...(contacts.data?.items ?? []).flatMap(suggestContact), ...peers, ...owners];
}

/**
 * What completes a typed name or emoji. Names come from the cache first, then from the searches of the service.
 * @param people the only ones that can be mentioned: then nothing is looked for
 */
export function useSuggestions(
  completion: Completion | undefined,
  people?: readonly Suggestion[],
): readonly Suggestion[] {
  // Guests of a call have no account. Their field names the people who can be mentioned.
  const me = useQuery({ ...meQuery, enabled: people === undefined }).data;
  const queries = useQueryClient();
  const trigger = completion?.trigger;
  const found = useSuggestedNames(people === undefined ? trigger : undefined, completion?.q ?? '');
  const { data: emoji = [] } = useQuery({ ...emojiQuery(i18n.locale), enabled: trigger === ':' });
  if (completion === undefined) return [];
  if (trigger === ':') return suggestEmoji(emoji, completion.q, readTone(me?.id ?? ''));
  if (people !== undefined) return trigger === '@' ? chooseSuggestions(people, completion.q) : [];
  const known = trigger === '*' ? knownTags(queries) : knownPeople(queries);
  // Nobody mentions themselves.
  const others = [...known, ...found].filter(({ person }) => person === undefined || person.id !== me?.id);
  return chooseSuggestions(others, completion.q);
}
