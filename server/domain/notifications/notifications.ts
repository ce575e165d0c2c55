/** Notifications of what others did: their rows, and how their recipient sees them. */
import { sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import {
  notification_kind_names,
  presentUser,
  PublicUser,
  publicUserJson,
  type NotificationKind,
  type PublicUserRow,
} from '../accounts/accounts.ts';
import { describeFailure } from '../scheduling/failures.ts';
import { job_kinds, job_names, type JobKind } from '../scheduling/job-kinds.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { formatMinutesFromNow, type Language } from '../../kernel/language/i18n.ts';
import { notification_kinds, subject_types } from './notification-kinds.ts';
import type { AnyViewer } from '../visibility/viewer.ts';

export const Notification = component(
  'Notification',
  object({
    id: idOf('note'),
    kind: oneOf(...notification_kind_names),
    actor: nullable(PublicUser),
    actor_count: Type.Integer({ minimum: 0 }),
    subject: object({ type: oneOf(...subject_types), id: Type.String() }),
    subject_name: Type.Union([Type.String(), Type.Null()], {
      description:
        'The name of the subject, if it has one, for clients that translate the sentence. For `job_failed`: the reason.',
    }),
    message_id: optional({
      ...idOf('chat'),
      description: 'For `group_mention`: the newest message that mentions you, in the chat of its subject.',
    }),
    job_kind: optional(oneOf(...job_kinds)),
    minutes_before: optional(
      Type.Integer({ minimum: 0, description: 'For `event_reminder`: how long before the start it was due.' }),
    ),
    text: Type.String({ description: 'A sentence in English.' }),
    read: Type.Boolean(),
    created_at: moment,
  }),
);

export const notificationCreated = event(
  'notification.created',
  'A new notification, or an unread one that now includes another event.',
  object({ notification: Notification }),
);

export const notificationUpdated = event(
  'notification.updated',
  'A notification was marked as read or unread on one of your devices.',
  object({ notification: Notification }),
);

export const notificationsRead = event(
  'notification.read',
  'All notifications, or those up to one of them, were marked as read.',
  object({ up_to_id: nullable(idOf('note')) }),
);

/** A notification as it is read. */
export type NotificationRow = {
  id: string;
  user_id: string;
  kind: NotificationKind;
  subject_type: (typeof subject_types)[number];
  subject_id: string;
  /** The name of the subject, a tag with its sigil; null when it has none. */
  subject_name: string | null;
  /** For `job_failed`: what failed and why, and the language of its owner. */
  failure: { job_kind: JobKind; error: string | null; locale: string } | null;
  /** For `event_reminder`; null for those from before it was stored. */
  minutes_before: number | null;
  created_at: Date;
  read_at: Date | null;
  /** The newest act, for the kinds that open it: the thread of a message request, or a message that mentions somebody. */
  newest_id: string | null;
  actor: PublicUserRow | null;
  actor_count: number;
};

/** The columns of NotificationRow, over `notifications n`. Its newest actor represents the others. */
export const notification_columns = sql`
  n.id, n.user_id, n.kind, n.subject_type, n.subject_id, n.minutes_before, n.created_at, n.read_at,
  case n.subject_type
    when 'tag' then (select '*' || t.name from tags t where t.id = n.subject_id)
    when 'group' then (select g.name from groups g where g.id = n.subject_id)
    when 'event' then (select e.title from calendar_events e where e.id = n.subject_id)
    when 'group_invite' then (
      select g.name from group_invites i join groups g on g.id = i.group_id where i.id = n.subject_id)
    when 'scheduled_job' then (select j.body from scheduled_jobs j where j.id = n.subject_id and n.kind = 'reminder')
  end as subject_name,
  case n.kind when 'job_failed' then (
    select json_build_object('job_kind', j.kind, 'error', coalesce(n.failure, j.last_error), 'locale', u.locale)
    from scheduled_jobs j join users u on u.id = j.user_id where j.id = n.subject_id) end as failure,
  (select ${publicUserJson('u')} from notification_acts a join users u on u.id = a.actor_id
    where a.notification_id = n.id and not a.hidden and a.actor_id <> n.user_id
    order by a.created_at desc, a.source_id desc limit 1) as actor,
  case when n.kind in ('message_request', 'group_mention') then (
    select a.source_id from notification_acts a where a.notification_id = n.id and not a.hidden
    order by a.created_at desc, a.source_id desc limit 1) end as newest_id,
  (select count(distinct a.actor_id)::int from notification_acts a
    where a.notification_id = n.id and not a.hidden) as actor_count`;

/** The name of the subject, or why it failed. @param language of the reader; by default the account's */
export const nameSubject = ({ subject_name, failure }: NotificationRow, language?: Language): string | null =>
  failure ? describeFailure(failure.error, language ?? languageOfLocale(failure.locale)) : subject_name;

/** A notification as its recipient sees it. @param language of the reader; by default the account's */
export function presentNotification(
  row: NotificationRow,
  viewer: AnyViewer,
  language?: Language,
): Static<typeof Notification> {
  return {
    id: row.id,
    kind: row.kind,
    actor: row.actor && presentUser(row.actor, viewer),
    actor_count: row.actor_count,
    subject:
      row.kind === 'message_request' && row.newest_id
        ? { type: 'thread', id: row.newest_id }
        : { type: row.subject_type, id: row.subject_id },
    subject_name: nameSubject(row, language),
    ...messageOf(row),
    ...(row.failure && { job_kind: row.failure.job_kind }),
    ...(row.minutes_before !== null && { minutes_before: row.minutes_before }),
    text: sentenceOf(row),
    read: row.read_at !== null,
    created_at: wireTime(row.created_at),
  };
}

/** The message that a notification of a mention in a group opens. */
export const messageOf = ({ kind, newest_id }: NotificationRow): { message_id?: string } =>
  kind === 'group_mention' && newest_id !== null ? { message_id: newest_id } : {};

/** The English sentence of a notification. */
export function sentenceOf(row: NotificationRow): string {
  const { kind, actor, actor_count, failure, minutes_before } = row;
  const { one, many } = notification_kinds[kind];
  return (actor_count > 1 ? many : one)
    .replace('{actor}', () => actor?.display_name ?? 'Someone')
    .replace('{count}', String(actor_count))
    .replace(
      '{when}',
      minutes_before === null ? 'soon' : minutes_before === 0 ? 'now' : formatMinutesFromNow(minutes_before, 'en'),
    )
    .replace('{job}', failure ? job_names[failure.job_kind] : 'message')
    .replace('{subject}', () => nameSubject(row, 'en') ?? 'you');
}
