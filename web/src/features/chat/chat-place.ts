/** Where a message is sent: a thread, a group, a call, or the conversation with a guest of a widget. */
export type ChatPlace =
  | { readonly kind: 'thread'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      /** The call among those that share the code, once it is over. */
      readonly conference_id?: string;
    }
  | { readonly kind: 'widget'; readonly id: string; readonly guest_id: string };

/** Where a chat is opened: around a message, or after one, at the oldest unread; without both, at the newest. */
export interface ChatStart {
  readonly at?: string | undefined;
  readonly after?: string | undefined;
}

/** The key of a place, under which its draft and unsent messages are stored. */
export function keyOfPlace(place: ChatPlace): string {
  return place.kind === 'widget' ? `widget ${place.id} ${place.guest_id}` : `${place.kind} ${place.id}`;
}
