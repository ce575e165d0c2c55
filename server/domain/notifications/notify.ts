/** Notifies people of what others did, and marks it as read: rows, events and pushes, in the transaction of the act. */
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import type { Change } from '../../kernel/services.ts';
import type { NotificationKind } from '../accounts/accounts.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { mute_exempt_kinds, type subject_types, timed_kinds } from './notification-kinds.ts';
import { deliverPush, pushTo, type Addressed } from './push.ts';
import { admitMentions } from '../visibility/stranger-limits.ts';
import { lockPair } from '../visibility/pairs.ts';
import { hasMuted } from '../visibility/mutes.ts';
import { areNotBlocked } from '../visibility/people.ts';
import {
  notificationCreated,
  notificationUpdated,
  type NotificationRow,
  notification_columns,
  messageOf,
  nameSubject,
  presentNotification,
  sentenceOf,
} from './notifications.ts';

/** An act of which somebody is notified: who, of what, and by whom. */
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
 *
 * Locks the pair of actor and receiver. Everybody locks people before rows (of groups, threads, posts), so an operation
 * that has locked a row calls `lockPair` before it; else it and a block could wait for each other.
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
    limitActs(change, { user_id: to, actor_id, notification_id: row.id }),
    change.db.one<NotificationRow>(sql`select ${notification_columns} from notifications n where n.id = ${row.id}`),
    quiet || pushTo(change, [to], { job: pushNotification, payload: { notification_id: row.id, actor_id }, subject }),
  ]);
  change.emit(notificationCreated, [`user:${to}`], {
    notification: presentNotification(note, change),
  });
}

/** Deletes the oldest acts of a person in an unread notification, which would otherwise grow, and with it each reading of it. */
async function limitActs(
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
