/** The kinds of notifications: their texts, and their possible subjects. */
import type { NotificationKind } from '../accounts/accounts.ts';

/**
 * The text of every kind of notification, for one actor and for several. `{actor}` is a name, `{count}` a number,
 * `{subject}` the name of the subject, or why it failed, and `{job}` the kind of scheduled job.
 */
export const notification_kinds = {
  follow: { one: '{actor} started following {subject}', many: '{count} people started following {subject}' },
  follow_request: {
    one: '{actor} requested to follow {subject}',
    many: '{count} people requested to follow {subject}',
  },
  follow_accepted: {
    one: '{actor} accepted your request to follow {subject}',
    many: '{actor} accepted your request to follow {subject}',
  },
  reply: { one: '{actor} replied to your post', many: '{count} people replied to your post' },
  like: { one: '{actor} liked your post', many: '{count} people liked your post' },
  comment: { one: '{actor} commented on {subject}', many: '{count} people commented on {subject}' },
  mention: { one: '{actor} mentioned you', many: '{count} people mentioned you' },
  group_mention: { one: '{actor} mentioned you in {subject}', many: '{count} people mentioned you in {subject}' },
  group_invite: { one: '{actor} invited you to {subject}', many: '{actor} invited you to {subject}' },
  group_joined: { one: '{actor} joined {subject}', many: '{count} people joined {subject}' },
  message_request: { one: '{actor} sent you a message request', many: '{count} people sent you message requests' },
  invite_accepted: { one: '{actor} accepted your invite', many: '{count} people accepted your invite' },
  reminder: { one: '{subject}', many: '{subject}' },
  job_failed: { one: 'Your scheduled {job} failed: {subject}', many: 'Your scheduled {job} failed: {subject}' },
  mobile_claimed: {
    one: 'Someone else verified your mobile number',
    many: 'Someone else verified your mobile number',
  },
  event_shared: { one: '{actor} shared {subject} with you', many: '{actor} shared {subject} with you' },
  event_starting: { one: '{subject} starts now', many: '{subject} starts now' },
  event_reminder: { one: '{subject} starts {when}', many: '{subject} starts {when}' },
} as const satisfies Record<NotificationKind, { one: string; many: string }>;

/** Kinds triggered by time rather than by a person: also sent about one's own things, and not limited per actor. */
export const timed_kinds: ReadonlySet<NotificationKind> = new Set([
  'event_starting',
  'event_reminder',
  'reminder',
  'job_failed',
  'mobile_claimed',
]);

/** Kinds that are sent even when the actor is muted: those about direct messages and one's own schedule. */
export const mute_exempt_kinds: ReadonlySet<NotificationKind> = new Set([...timed_kinds, 'message_request']);

/** The possible subjects of a notification. */
export const subject_types = [
  'tag',
  'status',
  'reply',
  'comment',
  'follow_request',
  'group',
  'group_invite',
  'invite',
  'user',
  'thread',
  'scheduled_job',
  'event',
] as const;
