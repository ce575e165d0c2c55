/** The people and tags in the client's cache, which are suggested without a request. */
import type { Person, Reply, Status, Tag, Thread } from '@asterism/sdk';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { contactsKey } from '../../data/queries/contact-queries.ts';
import type { Contact } from '../../data/queries/contact-queries.ts';
import type { Follow } from '../follows/follow-mutations.ts';
import { followsKey } from '../../data/queries/follow-queries.ts';
import { threadsKey } from '../../data/queries/message-queries.ts';
import { allCommentsKey, profileKey } from '../../data/queries/profile-queries.ts';
import { allRepliesKey, feedKey, statusesKey } from '../../data/queries/status-queries.ts';
import { ownTagsKey } from '../../data/queries/tag-queries.ts';
import { suggestContact, suggestPerson, suggestTag } from './suggestions.ts';
import type { Suggestion } from './choose-suggestions.ts';

type Profile = Reply<'profiles', 'getProfile'>;

/** A cached list: of pages, or one page alone. */
interface Cached<T> {
  readonly pages?: readonly { readonly items: readonly T[] }[];
  readonly items?: readonly T[];
}

/** The items of all cached lists under a key. */
function cachedItems<T>(queries: QueryClient, queryKey: QueryKey): T[] {
  return queries
    .getQueriesData<Cached<T>>({ queryKey })
    .flatMap(([, data]) => data?.pages?.flatMap(({ items }) => items) ?? data?.items ?? []);
}

const cachedAll = <T>(queries: QueryClient, queryKey: QueryKey): T[] =>
  queries.getQueriesData<T>({ queryKey }).flatMap(([, data]) => data ?? []);

const authorsOf = (queries: QueryClient, key: QueryKey): Suggestion[] =>
  cachedItems<{ author: Person }>(queries, key).map(({ author }) => suggestPerson(author));

/** Whether a list of chats is cached, whose people are then among the known ones. */
export const knowsChats = (queries: QueryClient): boolean => cachedItems<Thread>(queries, threadsKey).length > 0;

/** Known people: first those who talk here, then contacts, chats, authors, and owners of followed tags. */
export const knownPeople = (queries: QueryClient): Suggestion[] => [
  ...authorsOf(queries, allRepliesKey),
  ...authorsOf(queries, allCommentsKey),
  ...cachedAll<Status>(queries, statusesKey).map(({ author }) => suggestPerson(author)),
  ...cachedAll<Profile>(queries, profileKey).map(({ tag }) => suggestPerson(tag.owner)),
  ...cachedItems<Contact>(queries, contactsKey).flatMap(suggestContact),
  ...cachedItems<Thread>(queries, threadsKey).flatMap(({ peer, peer_gone }) =>
    peer_gone ? [] : [suggestPerson(peer)],
  ),
  ...authorsOf(queries, feedKey),
  ...cachedItems<Follow>(queries, followsKey).map(({ tag }) => suggestPerson(tag.owner)),
];

/** Known tags: the reader's own, followed ones, and those of the feed. */
export const knownTags = (queries: QueryClient): Suggestion[] => [
  ...cachedItems<Tag>(queries, ownTagsKey).map(suggestTag),
  ...cachedItems<Follow>(queries, followsKey).map(({ tag }) => suggestTag(tag)),
  ...cachedItems<Status>(queries, feedKey).flatMap(({ tag }) => (tag === null ? [] : [suggestTag(tag)])),
];
