import { inviteColumns, inviteState, type InviteRow, type InviteState } from '../../domain/contacts/invites.ts';
import { insertLink } from '../../domain/public-links/links.ts';
import { isActive } from '../../domain/visibility/people.ts';
import { isMailBlocked, isNumberBlocked } from '../../domain/visibility/numbers.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { pageOf, type Page } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long an invite link is valid. */
const invite_ttl_s = 14 * 24 * 60 * 60;

type NewInvite = Pick<InviteRow, 'channel' | 'address' | 'message'>;

/** Inserts an invite and its link; undefined when one to the same recipient is open. */
export async function insertInvite(
  { db, id, now, services }: Change,
  user_id: string,
  { channel, address, message }: NewInvite,
): Promise<InviteRow | undefined> {
  const invite_id = id('inv');
  // An expired one is replaced.
  db.run(sql`
    update invites set state = 'expired'
    where user_id = ${user_id} and address = ${address} and state = 'sent' and expires_at <= ${now}`).catch(
    () => undefined,
  );
  const expires_at = after(now, invite_ttl_s);
  const made = await db.maybe<InviteRow>(sql`
    with i as (
      insert into invites (id, user_id, channel, address, message, state, created_at, sent_at, expires_at)
      values (${invite_id}, ${user_id}, ${channel}, ${address}, ${message}, 'sent', ${now}, ${now}, ${expires_at}::timestamptz)
      on conflict (user_id, address) where state = 'sent' do nothing
      returning *)
    select ${inviteColumns(now)} from i`);
  if (made)
    await insertLink({ db, now, services }, { kind: 'invite', subject_id: invite_id, owner_id: user_id, expires_at });
  return made;
}

/** The open invite to a recipient, locked until the end of the transaction. */
export async function lockOpenInvite(
  { db, now }: Pick<Change, 'db' | 'now'>,
  user_id: string,
  address: string,
): Promise<InviteRow | undefined> {
  return db.maybe<InviteRow>(sql`
    select ${inviteColumns(now)} from invites i
    where i.user_id = ${user_id} and i.address = ${address} and i.state = 'sent' and i.expires_at > ${now} for update of i`);
}

/** An invite of a sender, locked until the end of the transaction; undefined when it is not theirs. */
export async function lockInvite(
  { db, now }: Pick<Change, 'db' | 'now'>,
  id: string,
  user_id: string,
): Promise<InviteRow | undefined> {
  return db.maybe<InviteRow>(
    sql`select ${inviteColumns(now)} from invites i where i.id = ${id} and i.user_id = ${user_id} for update of i`,
  );
}

/** A sender's invites, newest first; all, or those in one state. */
export async function selectInvites(
  db: Queryable,
  user_id: string,
  query: Page & { state?: InviteState },
  now: Date,
): Promise<InviteRow[]> {
  const in_state = query.state === undefined ? sql`` : sql`and ${inviteState(now)} = ${query.state}`;
  return db.many<InviteRow>(sql`
    select ${inviteColumns(now)} from invites i where i.user_id = ${user_id} ${in_state} ${pageOf(query, 'i.id')}`);
}

/** Records that an open invite was sent again. */
export async function recordSent({ db, now }: Pick<Change, 'db' | 'now'>, id: string): Promise<void> {
  await db.run(sql`update invites set sent_at = ${now} where id = ${id}`);
}

/** Revokes an invite if it is open. */
export async function closeInvite(db: Queryable, id: string): Promise<void> {
  await db.run(sql`update invites set state = 'revoked' where id = ${id} and state = 'sent'`);
}

type Sending = {
  user_id: string;
  channel: 'sms' | 'email';
  address: string;
  message: string | null;
  inviter: string;
  locale: string;
  sealed: string;
};

/** An open invite that may be sent: the recipient's account, if there is one, has not blocked the inviter. */
export function selectSending({ db, now }: Pick<Change, 'db' | 'now'>, id: string): Promise<Sending | undefined> {
  return db.maybe<Sending>(sql`
    select i.user_id, i.channel, i.address, i.message, s.display_name as inviter, p.sealed,
      -- The language of the recipient if the address has an account, else that of the inviter: the two know each other.
      coalesce((select u.locale from users u where u.deleted_at is null
        and ((i.channel = 'email' and u.email = i.address and u.email_verified)
          or (i.channel = 'sms' and u.mobile_number = i.address and u.mobile_verified)) limit 1), s.locale) as locale
    from invites i join users s on s.id = i.user_id
      join public_links p on p.kind = 'invite' and p.subject_id = i.id and p.revoked_at is null
    where i.id = ${id} and i.state = 'sent' and i.expires_at > ${now}
      and ${isActive('s')}
      and not (i.channel = 'sms' and ${isNumberBlocked(sql`i.user_id`, sql`i.address`)})
      and not (i.channel = 'email' and ${isMailBlocked(sql`i.user_id`, sql`i.address`)})`);
}
