/** The page that a notification opens. */
import { expect, it } from 'vitest';
import { notificationTarget, type NotificationSubject as Facts } from './notification-target.ts';

const linkTo = (kind: Facts['kind'], type: Facts['subject']['type'], message_id?: string) =>
  notificationTarget({ kind, subject: { type, id: 'id_1' }, ...(message_id === undefined ? {} : { message_id }) });

it('opens the list of requests', () => {
  expect(linkTo('follow_request', 'tag')).toEqual({ to: '/people/requests' });
  expect(linkTo('message_request', 'user')).toEqual({ to: '/messages/requests' });
});

it('opens the chat of a group at the message that mentions the reader', () => {
  expect(linkTo('group_mention', 'group', 'msg_1')).toEqual({
    to: '/messages/group/$groupId',
    params: { groupId: 'id_1' },
    search: { at: 'msg_1' },
  });
});

it('opens the own page of a tag for a new follower, and its profile for what is said there', () => {
  expect(linkTo('follow', 'tag')).toEqual({ to: '/tags/$tagId', params: { tagId: 'id_1' } });
  expect(linkTo('comment', 'tag')).toEqual({ to: '/tags/$tagId/profile', params: { tagId: 'id_1' } });
});

it('opens the settings of the number that somebody else has verified', () => {
  expect(linkTo('mobile_claimed', 'user')).toEqual({ to: '/settings/handles' });
  expect(linkTo('invite_accepted', 'user')).toEqual({ to: '/u/$userId', params: { userId: 'id_1' } });
});
