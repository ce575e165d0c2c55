import type { ChatMessage, DirectMessage, MediaFile, Person, Thread } from '@asterism/sdk';
import { nameOf } from '../../ui/avatar.tsx';
import type { Mention } from '../../ui/text/rich-text.tsx';
import { nameOfGuest } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';
import { reactionAuthorOf } from './reaction-author.ts';

/** A chat by its identifiers in the API, for searching in it and forwarding from it. */
export type ChatSource =
  | { readonly thread_id: string }
  | { readonly group_id: string }
  | { readonly conference_id: string }
  | { readonly widget_id: string; readonly guest_id?: string };

/** A chat of accounts, with settings, a read position and pinned messages: a thread or a group. */
export type MemberChat = Extract<ChatSource, { readonly thread_id: string } | { readonly group_id: string }>;

/** Whether a chat is one of accounts. */
export const isMemberChat = (chat: ChatSource): chat is MemberChat => 'thread_id' in chat || 'group_id' in chat;

/** A reaction, with the number of people who chose it. */
export interface ShownReaction {
  readonly emoji: string;
  readonly count: number;
  readonly mine: boolean;
}

/** A call among the messages of a thread. */
export interface ShownCall {
  /** Its outcome, as text. */
  readonly words: string;
  readonly is_missed: boolean;
  readonly is_video: boolean;
  /** Calls again, with video if that call had it; undefined where calling is impossible. */
  readonly onAgain: (() => void) | undefined;
}

/** The author of a message. */
export interface Writer {
  readonly id: string;
  readonly name: string;
  readonly avatar_url?: string | null;
  /** Their username, where their name and picture lead to their page. */
  readonly username?: string;
}

/** A message as every chat shows it, independent of the operation that returned it. */
export interface ShownMessage {
  readonly id: string;
  /** Its author; undefined for messages of the service. */
  readonly by: Writer | undefined;
  readonly mine: boolean;
  readonly body: string;
  /** The people whom it mentions, in the chat of a group. */
  readonly mentions: readonly Mention[];
  readonly files: readonly MediaFile[];
  readonly created_at: string;
  readonly deleted: boolean;
  readonly reply_to?: string | null;
  readonly reactions: readonly ShownReaction[];
  /** Whether it was forwarded from another chat. */
  readonly forwarded: boolean;
  /** Whether it was edited. */
  readonly edited: boolean;
  /** The delivery state of the reader's own messages; undefined where it is not known. */
  readonly delivery?: 'sent' | 'delivered' | 'read';
  /** Whether it shows a change that the service does not have yet. */
  readonly pending?: 'sending' | 'waiting';
  /** A call, shown at its time in place of a text. */
  readonly call?: ShownCall;
}

const presentPerson = (user: Person) => ({ id: user.id, name: nameOf(user), avatar_url: user.avatar_url });

/** Counts reactions by emoji, in the order of first use. */
function countReactions(reactions: DirectMessage['reactions'], isOwn: (author_id: string) => boolean): ShownReaction[] {
  const counted = new Map<string, ShownReaction>();
  for (const one of reactions) {
    const { emoji } = one;
    const { count = 0, mine = false } = counted.get(emoji) ?? {};
    counted.set(emoji, { emoji, count: count + 1, mine: mine || isOwn(reactionAuthorOf(one)) });
  }
  return [...counted.values()];
}

/** The newest message that the peer of a thread has read, and the newest that a device of theirs has received. */
export type PeerMarks = Pick<Thread, 'peer_read_up_to' | 'peer_delivered_up_to'>;

/** How far a message of the reader has come. @param id the message */
export function deliveryOf(
  id: string,
  { peer_read_up_to, peer_delivered_up_to }: PeerMarks,
): NonNullable<ShownMessage['delivery']> {
  if (id <= (peer_read_up_to ?? '')) return 'read';
  return id <= (peer_delivered_up_to ?? '') ? 'delivered' : 'sent';
}

/** A direct message as a chat shows it. */
export function showDirect(message: DirectMessage, peer_id: string, marks: PeerMarks): ShownMessage {
  const { id, sender, body, media, created_at, edited_at, deleted_at, reply_to, reactions, forwarded } = message;
  const mine = sender.id !== peer_id;
  return {
    id,
    by: presentPerson(sender),
    mine,
    body,
    mentions: [],
    files: media,
    created_at,
    deleted: deleted_at !== null,
    reply_to,
    reactions: countReactions(reactions, (one) => one !== peer_id),
    forwarded,
    edited: edited_at !== null,
    ...(mine ? { delivery: deliveryOf(id, marks) } : {}),
  };
}

function writerOf({ author }: ChatMessage): ShownMessage['by'] {
  if (author?.user) return presentPerson(author.user);
  return author?.guest ? { id: author.guest.id, name: nameOfGuest(author.guest) } : undefined;
}

/** A message of a call, a group or a widget as a chat shows it. @param reader_id an account or a guest */
export function showChat(message: ChatMessage, reader_id: string | undefined): ShownMessage {
  const { id, body, mentions, file, created_at, edited_at, deleted_at, reply_to, reactions, forwarded } = message;
  const { files = file === null ? [] : [file] } = message;
  const by = writerOf(message);
  return {
    id,
    by,
    mine: reader_id !== undefined && by?.id === reader_id,
    body,
    mentions: mentions.map((one) => ({ ...one, is_reader: one.id === reader_id })),
    files,
    created_at,
    deleted: deleted_at !== null,
    reply_to,
    reactions: countReactions(reactions, (one) => one === reader_id),
    forwarded,
    edited: edited_at !== null,
  };
}

/** A message of a call as it is shown there, where guests and accounts are both participants. */
export function showInCall(message: ChatMessage, reader_id: string | undefined): ShownMessage {
  const shown = showChat(message, reader_id);
  const { guest } = message.author ?? {};
  if (!guest) return shown;
  const name = guest.name_is_default ? nameOfGuest(guest) : `${guest.name} · ${i18n.t('Guest')}`;
  return { ...shown, by: { id: guest.id, name } };
}
