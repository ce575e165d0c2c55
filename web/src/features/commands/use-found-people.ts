import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { hasWords } from '../chat/highlighted-text.tsx';
import type { FoundPerson } from './command-options.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { i18n } from '../../i18n/i18n.ts';
import { commandChatsKey, commandContactsKey, commandPersonKey } from './command-queries.ts';

const MAX_FOUND = 3;
const PAUSE_MS = 150;
const LATEST_CHATS = 100;
/** What can be a username: nothing else is looked up. */
const USERNAME = /^[a-z0-9_.]{3,30}$/i;

async function listChats(signal: AbortSignal): Promise<FoundPerson[]> {
  const { items } = await sdk.dm.listThreads({ query: { folder: 'main', limit: LATEST_CHATS }, signal });
  return items.map(({ id, peer }) => ({
    key: peer.id,
    name: nameOf(peer),
    detail: i18n.t('Chat with @{username}', { username: peer.username }),
    picture: { name: peer.username, called: nameOf(peer), url: peer.avatar_url },
    href: `/messages/${id}`,
  }));
}

async function findContacts(q: string, signal: AbortSignal): Promise<FoundPerson[]> {
  const { items } = await sdk.contacts.listContacts({ query: { q, limit: MAX_FOUND }, signal });
  return items.map(({ id, name, user, phones, photo_url }) => ({
    key: user?.id ?? id,
    name,
    detail: user === null ? formatPhone(phones[0]?.number ?? '') || i18n.t('Contact') : `@${user.username}`,
    picture: { name: user?.username ?? name, called: name, url: photo_url ?? user?.avatar_url },
    href: `/contacts/${id}`,
  }));
}

/** The person with a username, if they let the reader find them. */
async function findByUsername(username: string, signal: AbortSignal): Promise<FoundPerson[]> {
  const { items } = await sdk.profiles.findPerson({ query: { username }, signal });
  return items.map((person) => ({
    key: person.id,
    name: nameOf(person),
    detail: `@${person.username}`,
    picture: { name: person.username, called: nameOf(person), url: person.avatar_url },
    href: `/u/${person.id}`,
  }));
}

/**
 * The reader's chats and contacts whose names match the typed text, and whoever has it as a username; a person in several
 * of these is found as a chat, else as a contact.
 */
export function useFoundPeople(typed: string): readonly FoundPerson[] {
  const q = useDebounced(typed.replace(/^@/, ''), PAUSE_MS);
  const enabled = q.length > 1;
  const chats = useQuery({
    queryKey: commandChatsKey,
    queryFn: ({ signal }) => listChats(signal),
    enabled,
    staleTime: 60_000,
  });
  const contacts = useQuery({
    queryKey: commandContactsKey(q),
    queryFn: ({ signal }) => findContacts(q, signal),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const named = useQuery({
    queryKey: commandPersonKey(q.toLowerCase()),
    queryFn: ({ signal }) => findByUsername(q, signal),
    enabled: USERNAME.test(q),
    staleTime: 10_000,
  });
  if (!enabled || typed === '') return [];
  const written = (chats.data ?? []).filter(({ name, detail }) => hasWords(`${name} ${detail}`, q));
  const found = new Map<string, FoundPerson>();
  for (const person of [...written, ...(contacts.data ?? []), ...(named.data ?? [])])
    if (!found.has(person.key)) found.set(person.key, person);
  const isNamed = ({ key }: FoundPerson) => key === named.data?.[0]?.key;
  const all = [...found.values()];
  return [...all.filter(isNamed), ...all.filter((person) => !isNamed(person))].slice(0, MAX_FOUND);
}
