import type { Notification } from '@asterism/sdk';
import type { LinkProps } from '@tanstack/react-router';

/** What of a notification decides which page it opens, in the list and as a push. */
export type NotificationSubject = Pick<Notification, 'kind' | 'subject' | 'message_id'>;

/** The page that a notification opens; undefined where there is none. */
export function notificationTarget({
  kind,
  subject,
  message_id,
}: NotificationSubject): Pick<LinkProps, 'to' | 'params' | 'search'> | undefined {
  if (kind === 'follow_request') return { to: '/people/requests' };
  if (kind === 'message_request') return { to: '/messages/requests' };
  if (message_id !== undefined)
    return { to: '/messages/group/$groupId', params: { groupId: subject.id }, search: { at: message_id } };
  const { type, id } = subject;
  switch (type) {
    case 'status':
      return { to: '/status/$postId', params: { postId: id } };
    case 'tag':
      // The reader’s own page of a tag lists its followers; what is said of it is on its profile.
      return kind === 'follow'
        ? { to: '/tags/$tagId', params: { tagId: id } }
        : { to: '/tags/$tagId/profile', params: { tagId: id } };
    case 'group':
      return { to: '/groups/$groupId', params: { groupId: id } };
    case 'group_invite':
      return { to: '/groups' };
    case 'event':
      return { to: '/calendar/$eventId', params: { eventId: id } };
    case 'scheduled_job':
      return { to: '/scheduled' };
    case 'invite':
      return { to: '/invites' };
    case 'user':
      return kind === 'mobile_claimed' ? { to: '/settings/handles' } : { to: '/u/$userId', params: { userId: id } };
    default:
      return undefined;
  }
}
