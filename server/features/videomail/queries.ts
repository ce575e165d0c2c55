import type { PublicUserRow } from '../../domain/accounts.ts';
import { isNamed } from '../../domain/tags.ts';
import { isKnownTo, mayMeet, mayOpenTag, mayReach } from '../../domain/visibility.ts';
import { sql, type Queryable } from '../../kernel/database.ts';

export type Receiver = PublicUserRow & {
  /** Their reach lets the sender write to them. */
  reached: boolean;
  /** They follow the sender or have them as a contact. */
  knows: boolean;
  /** Videomail and voicemail of the sender that wait unread. */
  waiting: number;
  /** The sender called them in the call that is named, in vain, and was let through. */
  missed: boolean;
  /** What the sender left after that call waits unread. */
  has_left: boolean;
};

/** Whom a handle means: the owner of a tag that the sender may open, else the account of that name. */
export async function selectReceiver(
  db: Queryable,
  handle: string,
  sender_id: string,
  call_id: string | undefined,
  now: Date,
): Promise<Receiver | undefined> {
  const name = handle.toLowerCase();
  return db.maybe<Receiver>(sql`
    select u.id, u.username, u.display_name, u.avatar_key, ${mayReach(sender_id, 'message')} as reached,
      ${isKnownTo(sender_id)} as knows,
      (select count(*)::int from inbox_messages m where m.user_id = u.id and m.from_user_id = ${sender_id}
        and m.read_at is null and m.kind in ('voicemail', 'videomail')) as waiting,
      exists (select 1 from call_participants p join calls c on c.id = p.call_id
        where p.call_id = ${call_id ?? ''} and p.user_id = u.id and not p.silent and p.joined_at is null
          and p.state in ('no_answer', 'busy', 'declined') and coalesce(p.invited_by, c.started_by) = ${sender_id}) as missed,
      exists (select 1 from inbox_messages m where m.user_id = u.id and m.from_user_id = ${sender_id}
        and m.call_id = ${call_id ?? ''} and m.read_at is null and m.kind in ('voicemail', 'videomail')) as has_left
    from users u
    where ${mayMeet(sender_id)} and (u.username = ${name} or exists (
      select 1 from tags t where t.owner_id = u.id and ${isNamed(name, now)} and ${mayOpenTag(sender_id)}))
    order by (u.username = ${name}) limit 1`);
}
