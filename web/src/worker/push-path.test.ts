import { describe, expect, it } from 'vitest';
import { pathOf } from './push-path.ts';

const origin = 'https://asterism.example';

describe('the page that a push opens', () => {
  it.each([
    [{ type: 'call.ringing', join_code: 'abc-defg-hij' }, '/call/abc-defg-hij'],
    [{ type: 'notification.created', kind: 'mention', subject_type: 'status', subject_id: 'post_1' }, '/status/post_1'],
    [
      {
        type: 'notification.created',
        kind: 'group_mention',
        subject_type: 'group',
        subject_id: 'grp_1',
        message_id: 'chat_2',
      },
      '/messages/group/grp_1?at=chat_2',
    ],
    [
      { type: 'notification.created', kind: 'event_starting', subject_type: 'event', subject_id: 'evt_1' },
      '/calendar/evt_1',
    ],
    [
      { type: 'notification.created', kind: 'comment', subject_type: 'tag', subject_id: 'tag_1' },
      '/tags/tag_1/profile',
    ],
    [{ type: 'notification.created', kind: 'mobile_claimed', subject_type: 'user' }, '/settings/handles'],
    [{ type: 'notification.created', kind: 'follow_request' }, '/people/requests'],
    [{ type: 'notification.created', kind: 'of a newer service', subject_type: 'planet' }, '/notifications'],
    [{ type: 'dm.message', subject_type: 'thread', subject_id: 'dm_1' }, '/messages/dm_1'],
    [
      { type: 'chat.message', subject_type: 'group', url: `${origin}/app/messages/group/grp_1` },
      '/messages/group/grp_1',
    ],
    [
      { type: 'chat.message', subject_type: 'group', url: 'https://elsewhere.example/app/messages/group/grp_1' },
      '/notifications',
    ],
  ])('of %o is %s', (push, path) => {
    expect(pathOf(push, origin)).toBe(path);
  });
});
