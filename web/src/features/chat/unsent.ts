/** What is not sent yet, and how a queue of it changes. */
import type { Input, MediaFile } from '@asterism/sdk';
import type { LocalFile } from '../files/local-file.ts';
import { keyOfPlace } from './chat-place.ts';
import type { ChatPlace } from './chat-place.ts';

/** An edit, a deletion or a reaction; no emoji removes a reaction. */
export type MessageChange =
  | { readonly kind: 'edit'; readonly body: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'react'; readonly emoji: string | null };

/** A message of another chat, or one of its files. */
export type ForwardedFrom = NonNullable<NonNullable<Input<'chats', 'postGroupChat'>['body']>['forward']>;

/** An unsent message, or an unsent change of a message. */
export interface Unsent {
  /** The idempotency key. */
  readonly key: string;
  readonly place: ChatPlace;
  readonly body: string;
  readonly media: readonly MediaFile[];
  /** Files that follow `media` and are not uploaded yet. */
  readonly files?: readonly LocalFile[];
  readonly reply_to?: string;
  /** The forwarded message; text and files are included for display. */
  readonly forward?: ForwardedFrom;
  /** For a change: what is changed, of a message that was sent or of a queued one, by its key. */
  readonly change?: MessageChange & { readonly message_id: string };
  readonly written_at: string;
  /** Whether the service may have received it, although its answer was lost. */
  readonly is_tried?: boolean;
  /** Queued messages are sent automatically; refused ones require a decision of their author. */
  readonly state: 'sending' | 'waiting' | 'refused';
  readonly problem?: string;
}

/** An entry of the outbox that changes a message. */
export type UnsentChange = Unsent & { readonly change: NonNullable<Unsent['change']> };

/** Whether it is a change of a message, and not a new one. */
export const isChange = (one: Unsent): one is UnsentChange => one.change !== undefined;

/** Whether a queued entry has no effect once a later one is carried out. */
export function isReplaced(one: Unsent, later: UnsentChange): boolean {
  if (!isChange(one) || one.change.message_id !== later.change.message_id) return false;
  if (keyOfPlace(one.place) !== keyOfPlace(later.place)) return false;
  return one.change.kind === later.change.kind || later.change.kind === 'delete';
}

/** What is left of a queue when a message has arrived: its changes now refer to the one that the service has. */
export function withoutSent(all: readonly Unsent[], key: string, message_id: string | undefined): Unsent[] {
  return all.flatMap((one) => {
    if (one.key === key) return [];
    if (!isChange(one) || one.change.message_id !== key) return one;
    return message_id === undefined ? [] : { ...one, change: { ...one.change, message_id } };
  });
}

/** A queue in which an edit of a message that was refused is part of it. */
export function withRefused(all: readonly Unsent[], key: string, refused: Partial<Unsent>): Unsent[] {
  const edit = all.find((one) => isChange(one) && one.change.message_id === key && one.change.kind === 'edit');
  const body = edit?.change?.kind === 'edit' ? { body: edit.change.body } : {};
  return all.flatMap((one) => {
    if (one.key === key) return { ...one, ...body, ...refused };
    return isChange(one) && one.change.message_id === key ? [] : one;
  });
}
