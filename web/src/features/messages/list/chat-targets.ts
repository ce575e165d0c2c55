/** The chats to which something can be forwarded or shared. */
import { nameOf } from '../../../ui/avatar.tsx';
import type { ChatPlace } from '../../chat/chat-place.ts';
import { useChatEntries } from './use-chats.ts';
import { keyOfEntry, nameOfEntry } from './chat-entries.ts';
import type { ChatEntry } from './chat-entries.ts';

/** A chat in which the reader can write. */
export interface ChatTarget {
  readonly key: string;
  readonly name: string;
  readonly picture: { name: string; called?: string; url?: string | null };
  readonly place: ChatPlace;
}

/** A chat of the list as a target; none if the reader cannot write there. */
function targetOf(entry: ChatEntry): ChatTarget[] {
  const named = { key: keyOfEntry(entry), name: nameOfEntry(entry) };
  if (entry.kind === 'group') {
    const { id, name, avatar_url } = entry.chat.group;
    return [{ ...named, picture: { name, url: avatar_url }, place: { kind: 'group', id } }];
  }
  if (entry.kind === 'widget') {
    const { widget_id, guest } = entry.chat;
    const place = { kind: 'widget' as const, id: widget_id, guest_id: guest.id };
    return [{ ...named, name: `${guest.name} · ${entry.chat.title}`, picture: { name: guest.name }, place }];
  }
  const { id, peer, state, peer_gone } = entry.thread;
  if (state !== 'active' || peer_gone) return [];
  const picture = { name: peer.username, called: nameOf(peer), url: peer.avatar_url };
  return [{ ...named, picture, place: { kind: 'thread', id } }];
}

/** The chats of the reader's list in which they can write. */
export function useChatTargets() {
  const { threads, entries } = useChatEntries();
  return { threads, targets: entries.flatMap(targetOf) };
}
