/** The text of a notification in the language of the reader; the service has the same texts in English. */
import { formatMinutesFromNow } from '@asterism/sdk';
import type { Notification } from '@asterism/sdk';
import { i18n } from './i18n.ts';

/** The values in the sentence. */
export interface NotificationFacts {
  readonly kind: string;
  /** The name of the latest actor. */
  readonly actor: string | undefined;
  readonly actor_count: number;
  /** The name of the subject; for a tag with its sigil. */
  readonly subject: string | undefined;
  /** Of a failed scheduled job: its kind. */
  readonly job_kind?: string | undefined;
  /** For a reminder of an event: how long before its start it was due. */
  readonly minutes_before?: number | undefined;
  /** The service's own sentence, for unknown kinds. */
  readonly text: string;
}

/** Kinds whose sentence needs the name of the subject. */
const NAMED = new Set([
  'follow',
  'follow_accepted',
  'comment',
  'group_invite',
  'group_joined',
  'group_mention',
  'event_shared',
  'event_starting',
  'event_reminder',
  'reminder',
  'job_failed',
]);

const failureText = (job: string, what: string): string =>
  i18n.t(
    '{job, select, call {Your scheduled call failed: {what}} status {Your scheduled post failed: {what}} reminder {Your scheduled reminder failed: {what}} other {Your scheduled message failed: {what}}}',
    { job, what },
  );

const mentionedIn = (name: string, count: number, what: string): string =>
  count > 1
    ? i18n.t('{count} people mentioned you in {what}', { count, what })
    : i18n.t('{name} mentioned you in {what}', { name, what });

function reminderText(what: string, minutes: number | undefined): string {
  if (minutes === undefined) return i18n.t('{what} starts soon', { what });
  return minutes === 0
    ? i18n.t('{what} starts now', { what })
    : i18n.t('{what} starts {when}', { what, when: formatMinutesFromNow(minutes, i18n.locale) });
}

/** The sentence of a notification; the service's own text for an unknown kind, or without the name that it needs. */
export function notificationText(facts: NotificationFacts): string {
  const { actor, actor_count: count, subject, job_kind, text } = facts;
  // A newer service may have further kinds.
  const kind = facts.kind as Notification['kind'];
  const name = actor ?? i18n.t('Someone');
  const what = subject ?? '';
  const several = count > 1;
  if (subject === undefined && NAMED.has(kind)) return text;
  switch (kind) {
    case 'follow':
      return several
        ? i18n.t('{count} people started following {what}', { count, what })
        : i18n.t('{name} started following {what}', { name, what });
    case 'follow_request':
      if (subject === undefined)
        return several
          ? i18n.t('{count} people requested to follow you', { count })
          : i18n.t('{name} requested to follow you', { name });
      return several
        ? i18n.t('{count} people requested to follow {what}', { count, what })
        : i18n.t('{name} requested to follow {what}', { name, what });
    case 'follow_accepted':
      return i18n.t('{name} accepted your request to follow {what}', { name, what });
    case 'reply':
      return several
        ? i18n.t('{count} people replied to your post', { count })
        : i18n.t('{name} replied to your post', { name });
    case 'like':
      return several ? i18n.t('{count} people liked your post', { count }) : i18n.t('{name} liked your post', { name });
    case 'comment':
      return several
        ? i18n.t('{count} people commented on {what}', { count, what })
        : i18n.t('{name} commented on {what}', { name, what });
    case 'mention':
      return several ? i18n.t('{count} people mentioned you', { count }) : i18n.t('{name} mentioned you', { name });
    case 'group_mention':
      return mentionedIn(name, count, what);
    case 'group_invite':
      return i18n.t('{name} invited you to {what}', { name, what });
    case 'group_joined':
      return several
        ? i18n.t('{count} people joined {what}', { count, what })
        : i18n.t('{name} joined {what}', { name, what });
    case 'message_request':
      return several
        ? i18n.t('{count} people sent you message requests', { count })
        : i18n.t('{name} sent you a message request', { name });
    case 'invite_accepted':
      return several
        ? i18n.t('{count} people accepted your invite', { count })
        : i18n.t('{name} accepted your invite', { name });
    case 'mobile_claimed':
      return i18n.t('Someone else verified your mobile number');
    case 'reminder':
      return what;
    case 'job_failed':
      return failureText(job_kind ?? 'text', what);
    case 'event_shared':
      return i18n.t('{name} shared {what} with you', { name, what });
    case 'event_starting':
      return i18n.t('{what} starts now', { what });
    case 'event_reminder':
      return reminderText(what, facts.minutes_before);
    default:
      // A type error here names a kind without a text.
      kind satisfies never;
      return text;
  }
}
