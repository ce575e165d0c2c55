import type { PublicUserRow } from '../../domain/accounts/accounts.ts';
import { isNamed } from '../../domain/social/tags.ts';
import { isKnownTo, maySeeUser, mayReach } from '../../domain/visibility/people.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';

/** The recipient of a videomail, and what decides whether it is delivered. */
export type Recipient = PublicUserRow & {
  /** Their reach allows the sender to send them messages. */
  reached: boolean;
  /** They follow the sender or have them as a contact. */
  knows: boolean;
  /** The sender has left a message that they have not answered. */
  is_waiting: boolean;
  /** The sender called them in the named call, was not answered, and was not silenced. */
  missed: boolean;
  /** The sender has left a message since that call started, which they have not answered. */
  has_left: boolean;
};

/**
 * Whether the sender's last message to recipient `u` is unanswered: `u` has neither called nor written to the sender
 * since.
 */
const isUnanswered = (sender_id: string, condition = sql``): Sql => sql`exists (
  select 1 from unanswered_mail w where w.receiver_id = u.id and w.sender_id = ${sender_id} ${condition}
    and not exists (
      select 1 from call_participants p join calls c on c.id = p.call_id
      where p.user_id = ${sender_id} and coalesce(p.invited_by, c.started_by) = u.id and c.started_at > w.sent_at)
    and not exists (
      select 1 from dm_threads t join dm_messages m on m.thread_id = t.id
      where ${sender_id} in (t.low_id, t.high_id) and u.id in (t.low_id, t.high_id) and m.sender_id = u.id
        and m.created_at > w.sent_at))`;

/**
 * Records a message that was left: it answers the one that the recipient had left for the sender. If the sender is a
 * stranger to the recipient, it awaits an answer.
 */
export async function recordSent(
  { db, now }: Pick<Change, 'db' | 'now'>,
  sender_id: string,
  receiver_id: string,
  is_stranger: boolean,
): Promise<void> {
  await db.run(sql`delete from unanswered_mail where receiver_id = ${sender_id} and sender_id = ${receiver_id}`);
  if (!is_stranger) return;
  await db.run(sql`
    insert into unanswered_mail (receiver_id, sender_id, sent_at) values (${receiver_id}, ${sender_id}, ${now})
    on conflict (receiver_id, sender_id) do update set sent_at = excluded.sent_at`);
}

/** The recipient of a handle: the owner of a tag that the sender may open, else the account of that name. */
export async function selectRecipient(
  db: Queryable,
  handle: string,
  sender_id: string,
  call_id: string | undefined,
  now: Date,
): Promise<Recipient | undefined> {
  const name = handle.toLowerCase();
  return db.maybe<Recipient>(sql`
    select u.id, u.username, u.display_name, u.avatar_key, ${mayReach(sender_id, 'message')} as reached,
      ${isKnownTo(sender_id)} as knows,
      ${isUnanswered(sender_id)} as is_waiting,
      exists (select 1 from call_participants p join calls c on c.id = p.call_id
        where p.call_id = ${call_id ?? ''} and p.user_id = u.id and not p.suppressed and p.joined_at is null
          and p.state in ('no_answer', 'busy', 'declined') and coalesce(p.invited_by, c.started_by) = ${sender_id}) as missed,
      ${isUnanswered(sender_id, sql`and w.sent_at >= (select c.started_at from calls c where c.id = ${call_id ?? ''})`)} as has_left
    from users u
    where ${maySeeUser(sender_id)} and (u.username = ${name} or exists (
      select 1 from tags t where t.owner_id = u.id and ${isNamed(name, now)} and ${mayOpenTag(sender_id)}))
    order by (u.username = ${name}) limit 1`);
}
