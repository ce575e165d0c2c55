import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { hasWords } from '../chat/marked.tsx';
import type { FoundPerson } from './offers.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { i18n } from '../../i18n/i18n.ts';
import { commandChatsKey, commandContactsKey } from './command-queries.ts';

const MAX_FOUND = 3;
const PAUSE_MS = 150;
const LATEST_CHATS = 100;

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

/** The reader's chats and contacts whose names match the typed text; a person in both is found as a chat. */
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
  if (!enabled || typed === '') return [];
  const written = (chats.data ?? []).filter(({ name, detail }) => hasWords(`${name} ${detail}`, q));
  const known = new Set(written.map(({ key }) => key));
  return [...written, ...(contacts.data ?? []).filter(({ key }) => !known.has(key))].slice(0, MAX_FOUND);
}
