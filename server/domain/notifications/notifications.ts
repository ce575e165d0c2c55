/** Notifications of what others did: grouped, and cleared when their cause is undone. */
import { sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { job } from '../../kernel/job.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import {
  notification_kind_names,
  presentUser,
  PublicUser,
  publicUserJson,
  type NotificationKind,
  type PublicUserRow,
} from '../accounts/accounts.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { describeFailure } from '../scheduling/failures.ts';
import { job_kinds, job_names, type JobKind } from '../scheduling/job-kinds.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { inMinutes, type Language } from '../../kernel/language/i18n.ts';
import { mute_exempt_kinds, notification_kinds, subject_types, timed_kinds } from './notification-kinds.ts';
import { deliverPush, pushTo, type Addressed } from './push.ts';
import { admitMentions } from '../visibility/stranger-limits.ts';
import { lockPair } from '../visibility/pairs.ts';
import { hasMuted } from '../visibility/mutes.ts';
import { areNotBlocked } from '../visibility/people.ts';
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
const nameSubject = ({ subject_name, failure }: NotificationRow, language?: Language): string | null =>
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
const messageOf = ({ kind, newest_id }: NotificationRow): { message_id?: string } =>
  kind === 'group_mention' && newest_id !== null ? { message_id: newest_id } : {};

function sentenceOf(row: NotificationRow): string {
  const { kind, actor, actor_count, failure, minutes_before } = row;
  const { one, many } = notification_kinds[kind];
  return (actor_count > 1 ? many : one)
    .replace('{actor}', () => actor?.display_name ?? 'Someone')
    .replace('{count}', String(actor_count))
    .replace(
      '{when}',
      minutes_before === null ? 'soon' : minutes_before === 0 ? 'now' : inMinutes(minutes_before, 'en'),
    )
    .replace('{job}', failure ? job_names[failure.job_kind] : 'message')
    .replace('{subject}', () => nameSubject(row, 'en') ?? 'you');
}

export type Occasion = {
  to: string;
  kind: NotificationKind;
  subject: { type: (typeof subject_types)[number]; id: string };
  actor_id: string;
  /** The identifier of the act: an act notifies once, and clearing it removes the notification. */
  source_id: string;
  /** For `job_failed`: why, in English. */
  failure?: string;
  /** For `event_reminder`: how long before the start. */
  minutes_before?: number;
  /** Without a push notification. */
  quiet?: boolean;
};

/**
 * Notifies a user of an act, in the transaction of the act: grouped with unread ones, except timed ones, which are
 * marked `reopened`; not of one's own acts, except timed ones; not twice of the same act; not when the actor is blocked
 * or muted, nor of kinds that are switched off.
 */
export async function notify(change: Change, occasion: Occasion): Promise<void> {
  const { to, kind, subject, actor_id, source_id, failure = null, minutes_before = null, quiet = false } = occasion;
  if (to === actor_id && !timed_kinds.has(kind)) return;
  // A block between the two is either seen here, or is created later and clears what is written here. Not awaited: if
  // it fails, so does the next statement.
  lockPair(change.db, actor_id, to).catch(() => undefined);
  const row = await change.db.maybe<{ id: string }>(sql`
    with folded as (
      insert into notifications (id, user_id, kind, subject_type, subject_id, created_at, reopened, failure, minutes_before)
      select ${change.id('note')}, u.id, ${kind}, ${subject.type}, ${subject.id}, ${change.now}::timestamptz, ${timed_kinds.has(kind)}::boolean, ${failure}::text, ${minutes_before}::int
      from users u where u.id = ${to} and u.deleted_at is null and not ${kind} = any(u.muted_kinds)
        and ${areNotBlocked(actor_id, 'u.id')}
        and (${mute_exempt_kinds.has(kind)}::boolean or not ${hasMuted(sql`u.id`, actor_id)})
        and not exists (select 1 from notification_acts a where a.source_id = ${source_id} and a.user_id = u.id)
      on conflict (user_id, kind, subject_type, subject_id) where read_at is null and not reopened do update set kind = excluded.kind, hidden = false
      returning id, user_id)
    insert into notification_acts (source_id, user_id, notification_id, actor_id, created_at)
    select ${source_id}, folded.user_id, folded.id, ${actor_id}, ${change.now}::timestamptz from folded
    returning notification_id as id`);
  if (!row) return;
  const [, note] = await Promise.all([
    boundActs(change, { user_id: to, actor_id, notification_id: row.id }),
    change.db.one<NotificationRow>(sql`select ${notification_columns} from notifications n where n.id = ${row.id}`),
    quiet || pushTo(change, [to], { job: pushNotification, payload: { notification_id: row.id, actor_id }, subject }),
  ]);
  change.emit(notificationCreated, [`user:${to}`], {
    notification: presentNotification(note, change),
  });
}

/** Deletes the oldest acts of a person in an unread notification, which would otherwise grow, and with it each reading of it. */
async function boundActs(
  { db }: Pick<Change, 'db'>,
  { user_id, actor_id, notification_id }: { user_id: string; actor_id: string; notification_id: string },
): Promise<void> {
  const acts = sql`user_id = ${user_id} and actor_id = ${actor_id} and notification_id = ${notification_id}`;
  await db.run(sql`
    delete from notification_acts where ${acts} and (created_at, source_id) <= (
      select created_at, source_id from notification_acts where ${acts}
      order by created_at desc, source_id desc offset ${default_limits.notification_acts}::int limit 1)`);
}

/** Notifies the people whom a text mentions, within the limits for strangers. */
export async function notifyMentioned(
  change: Change,
  act: Pick<Occasion, 'subject' | 'actor_id' | 'source_id'>,
  mentioned: string[],
): Promise<void> {
  for (const to of await admitMentions(change, { ...act, kind: 'mention', mentioned }))
    await notify(change, { ...act, to, kind: 'mention' });
}

/**
 * Marks the notification of mentions in a group as read, when its reader has read the chat up to a message: unless a
 * newer message mentions them, or they have marked it as unread.
 */
export async function markGroupMentionsRead(
  change: Change,
  { user_id, group_id, up_to_id }: { user_id: string; group_id: string; up_to_id: string },
): Promise<void> {
  const read = await change.db.maybe<{ id: string }>(sql`
    update notifications n set read_at = ${change.now}
    where n.user_id = ${user_id} and n.kind = 'group_mention' and n.subject_type = 'group' and n.subject_id = ${group_id}
      and n.read_at is null and not n.reopened and not n.hidden and not exists (
        select 1 from notification_acts a where a.notification_id = n.id and a.source_id > ${up_to_id} and not a.hidden)
    returning n.id`);
  if (!read) return;
  const row = await change.db.one<NotificationRow>(
    sql`select ${notification_columns} from notifications n where n.id = ${read.id}`,
  );
  change.emit(notificationUpdated, [`user:${user_id}`], {
    notification: presentNotification(row, change),
  });
}

/** How long a push service stores it for an offline device, in seconds. */
const push_ttl_s = 24 * 60 * 60;

/** Notifies one device, unless the notification was read, deleted or cleared meanwhile. */
export const pushNotification = job<{ notification_id: string; actor_id: string } & Addressed>({
  name: 'push.notification',
  max_attempts: 6,
  lane: 'pushes',
  async run({ notification_id, actor_id, ...addressed }, services) {
    const row = await services.db.maybe<NotificationRow>(sql`
      select ${notification_columns} from notifications n
      where n.id = ${notification_id} and n.user_id = ${addressed.user_id} and n.read_at is null`);
    if (!row || row.actor_count === 0) return;
    const subject_name = nameSubject(row);
    await deliverPush(services, addressed, {
      subject: { type: row.subject_type, id: row.subject_id },
      title: row.actor?.display_name ?? '',
      text: sentenceOf(row),
      values: {
        actor_count: String(row.actor_count),
        ...(subject_name !== null && { subject_name }),
        ...(row.failure && { job_kind: row.failure.job_kind }),
        ...(row.minutes_before !== null && { minutes_before: String(row.minutes_before) }),
      },
      data: { type: 'notification.created', notification_id: row.id, kind: row.kind, ...messageOf(row) },
      urgent: false,
      ttl_s: push_ttl_s,
      ...(timed_kinds.has(row.kind) ? {} : { actor_id }),
    });
  },
});
