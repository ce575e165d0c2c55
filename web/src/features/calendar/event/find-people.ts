import type { Person } from '@asterism/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { foundContactsKey } from '../../../data/queries/contact-queries.ts';
import { foundTagsKey } from '../../../data/queries/tag-queries.ts';

const MAX_FOUND = 6;

/**
 * Finds people with an account: the reader's contacts first, then owners of public tags.
 * @returns `is_first` until both have been searched once, `is_pending` during every search
 */
export function useFoundPeople(q: string): { people: readonly Person[]; is_first: boolean; is_pending: boolean } {
  const is_tag = q.startsWith('*');
  const contacts = useQuery({
    queryKey: foundContactsKey('with-account', q),
    queryFn: ({ signal }) => sdk.contacts.listContacts({ query: { limit: 20, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: keepPreviousData,
    enabled: !is_tag,
  });
  const tags = useQuery({
    queryKey: foundTagsKey('owners', q),
    queryFn: ({ signal }) => sdk.tags.searchTags({ query: { q: q.replace(/^[*@]/, ''), limit: 10 }, signal }),
    placeholderData: keepPreviousData,
    enabled: q.replace(/^[*@]/, '') !== '',
  });
  const known = is_tag ? [] : (contacts.data?.items.flatMap(({ user }) => (user === null ? [] : [user])) ?? []);
  const owners = q === '' ? [] : (tags.data?.items.flatMap((tag) => (tag.is_mine ? [] : [tag.owner])) ?? []);
  const people = new Map<string, Person>();
  for (const person of [...known, ...owners]) if (!people.has(person.id)) people.set(person.id, person);
  return {
    people: [...people.values()].slice(0, MAX_FOUND),
    is_first: contacts.isLoading || tags.isLoading,
    is_pending: contacts.isFetching || tags.isFetching,
  };
}
