import type { Reply } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { nameOfGuest } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';

/** A search result: a message with its chat. */
export type Found = Reply<'chats', 'searchMessages'>['items'][number];

/** The pseudo guest of a widget's notices, which all its guests read. */
export const ALL_GUESTS = 'all';

/** The name of a past call's chat: the other participants. */
export const nameOfCallChat = (names: readonly string[]): string =>
  names.length === 0 ? i18n.t('A call') : i18n.t('Call with {names}', { names: names.join(', ') });

const nameOfWidget = ({ title, tag_name }: NonNullable<Found['widget']>): string => title || `*${tag_name}`;

/** The name of the chat of a search result. */
export function nameOfFound({ thread, group, call, widget }: Found): string {
  if (thread !== null) return nameOf(thread.peer);
  if (group !== null) return group.name;
  if (call !== null) return nameOfCallChat(call.names);
  return widget === null
    ? ''
    : widget.guest === null
      ? nameOfWidget(widget)
      : `${nameOfGuest(widget.guest)} · ${nameOfWidget(widget)}`;
}

/** The picture of the chat of a search result. */
export function pictureOfFound(found: Found): { name: string; called?: string; url?: string | null } {
  const { thread, call, widget } = found;
  if (thread !== null) return { name: thread.peer.username, called: nameOf(thread.peer), url: thread.peer.avatar_url };
  return { name: call?.names[0] ?? widget?.guest?.name ?? nameOfFound(found) };
}

interface FoundLinkProps {
  found: Found;
  onOpen: (() => void) | undefined;
  children: ReactNode;
}

/** A link to a search result in its chat. */
export function FoundLink({ found, onOpen, children }: FoundLinkProps) {
  const { id, thread, group, call, widget } = found;
  const look = { className: 'row', search: { at: id }, ...(onOpen === undefined ? {} : { onClick: onOpen }) };
  if (thread !== null)
    return (
      <Link to="/messages/$threadId" params={{ threadId: thread.id }} {...look}>
        {children}
      </Link>
    );
  if (group !== null)
    return (
      <Link to="/messages/group/$groupId" params={{ groupId: group.id }} {...look}>
        {children}
      </Link>
    );
  if (call !== null)
    return (
      <Link to="/messages/call/$conferenceId" params={{ conferenceId: call.conference_id }} {...look}>
        {children}
      </Link>
    );
  return (
    <Link
      to="/messages/widget/$widgetId/$guestId"
      params={{ widgetId: widget?.id ?? '', guestId: widget?.guest?.id ?? ALL_GUESTS }}
      {...look}
    >
      {children}
    </Link>
  );
}
