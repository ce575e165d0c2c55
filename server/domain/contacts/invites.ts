/** Invites to the service: their schema, their links, and the effects of accepting one. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { bookStep, contactUpdated, matchedUser, presentContact, requireContact } from './contacts.ts';
import { notify } from '../notifications/notify.ts';
import { requireLink, revokeLink } from '../public-links/links.ts';
import { isActive, maySeeUser } from '../visibility/people.ts';
import type { AnyViewer } from '../visibility/viewer.ts';

/** How an invite is sent. */
export const invite_channels = ['sms', 'email'] as const;
/** The states of an invite to the service. */
export const invite_states = ['sent', 'accepted', 'revoked', 'expired'] as const;
/** The state of an invite to the service. */
export type InviteState = (typeof invite_states)[number];

export const Invite = component(
  'Invite',
  object({
    id: idOf('inv'),
    channel: oneOf(...invite_channels),
    to: Type.String({ description: 'The number in E.164, or the e-mail address.' }),
    message: nullable(Type.String()),
    state: oneOf(...invite_states),
    accepted_by: nullable(PublicUser),
    created_at: moment,
    expires_at: moment,
  }),
);

/** An invite to the service. */
export type InviteRow = {
  id: string;
  user_id: string;
  channel: (typeof invite_channels)[number];
  address: string;
  message: string | null;
  state: InviteState;
  accepted_by: PublicUserRow | null;
  created_at: Date;
  sent_at: Date;
  expires_at: Date;
};

/** The state of invite `i` at a moment: an open invite expires. */
export const inviteState = (now: Date): Sql =>
  sql`case when i.state = 'sent' and i.expires_at <= ${now} then 'expired' else i.state end`;

/**
 * The columns of InviteRow as its sender sees it, over `invites i`. A block hides who accepted the invite, but not its
 * acceptance.
 */
export const inviteColumns = (now: Date): Sql => sql`
  i.id, i.user_id, i.channel, i.address, i.message, i.created_at, i.sent_at, i.expires_at, ${inviteState(now)} as state,
  (select ${publicUserJson('u')} from users u where u.id = i.accepted_by and ${maySeeUser(sql`i.user_id`)}) as accepted_by`;

/** An invite as its sender sees it. */
export function presentInvite(row: InviteRow, viewer: AnyViewer): Static<typeof Invite> {
  return {
    id: row.id,
    channel: row.channel,
    to: row.address,
    message: row.message,
    state: row.state,
    accepted_by: row.accepted_by && presentUser(row.accepted_by, viewer),
    created_at: wireTime(row.created_at),
    expires_at: wireTime(row.expires_at),
  };
}

/** What is shown to the visitor of an invite link. */
export type OpenInvite = { id: string; inviter: PublicUserRow; message: string | null; expires_at: Date };

/** The invite of a link token. @throws ApiError `gone` when it was never sent, or is used, revoked or expired */
export async function requireOpenInvite(db: Queryable, token: string, now: Date): Promise<OpenInvite> {
  const { subject_id } = await requireLink(db, token, now, 'invite');
  return selectOpenInvite(db, subject_id);
}

/** A valid invite. */
export function selectOpenInvite(db: Queryable, id: string): Promise<OpenInvite> {
  return db.one<OpenInvite>(sql`
    select i.id, i.message, i.expires_at, ${publicUserJson('u')} as inviter
    from invites i join users u on u.id = i.user_id where i.id = ${id}`);
}

/**
 * Accepts an invite for a new account: each becomes a contact of the other, and the inviter is notified. An invite that
 * was revoked during registration has no effect.
 */
export async function acceptInvite(
  change: Change,
  invite_id: string,
  user: { id: string; display_name: string },
): Promise<void> {
  const { db, now } = change;
  const invite = await db.maybe<{
    user_id: string;
    channel: 'sms' | 'email';
    address: string;
    inviter_name: string;
  }>(sql`
    update invites i set state = 'accepted', accepted_by = ${user.id} from users u
    where i.id = ${invite_id} and i.state = 'sent' and i.expires_at > ${now} and u.id = i.user_id
      and ${isActive()}
    returning i.user_id, i.channel, i.address, u.display_name as inviter_name`);
  if (!invite) return;
  await revokeLink(change, 'invite', invite_id);
  await db.run(sql`update users set invited_by = ${invite.user_id} where id = ${user.id}`);
  await linkContact(change, invite.user_id, user, invite);
  await linkContact(change, user.id, { id: invite.user_id, display_name: invite.inviter_name });
  await notify(change, {
    to: invite.user_id,
    kind: 'invite_accepted',
    subject: { type: 'invite', id: invite_id },
    actor_id: user.id,
    source_id: invite_id,
  });
}

/**
 * Links an account to a contact of an owner: the one with the invited address, or a new one if there is room. A contact
 * that already matches somebody else stays theirs, since links are passed on.
 */
async function linkContact(
  change: Change,
  owner_id: string,
  user: { id: string; display_name: string },
  invited?: { channel: 'sms' | 'email'; address: string },
): Promise<void> {
  const { db, now } = change;
  const locked = await db.run(sql`select 1 from users where id = ${owner_id} and deleted_at is null for no key update`);
  // What is added to a deleted account would never be deleted.
  if (locked === 0) return;
  const known = await db.maybe<{ id: string }>(sql`
    update contacts c set linked_user_id = ${user.id} where c.id = (
      select c.id from contact_addresses a join contacts c on c.id = a.contact_id
      where a.owner_id = ${owner_id} and a.address = ${invited?.address ?? ''}
        and coalesce(${matchedUser(owner_id)} ->> 'id', ${user.id}) = ${user.id}
      order by c.id limit 1)
    returning c.id`);
  const { id } = known ?? { id: change.id('con') };
  if (!known) {
    const label = 'other';
    const phones = invited?.channel === 'sms' ? [{ label, number: invited.address }] : [];
    const emails = invited?.channel === 'email' ? [{ label, address: invited.address }] : [];
    const made = await db.run(sql`
      with ${bookStep(owner_id)}
      insert into contacts (id, owner_id, name, phones, emails, im, note, favourite, linked_user_id, created_at, updated_at)
      select ${id}, ${owner_id}, ${user.display_name}, ${JSON.stringify(phones)}::jsonb, ${JSON.stringify(emails)}::jsonb, '[]', '',
             false, ${user.id}, ${now}::timestamptz, ${now}::timestamptz
      from book where book.count < ${change.services.limits.contacts}::int`);
    if (made === 0) return;
  }
  const contact = presentContact(await requireContact(db, id, owner_id), change);
  change.emit(contactUpdated, [`user:${owner_id}`], { contact });
}

/** Who invited an account, as one JSON value; null after a block or a deletion. */
export const inviterOf = (invited_by: Sql, user_id: string): Sql => sql`(
  select ${publicUserJson('u')} from users u where u.id = ${invited_by} and ${maySeeUser(user_id)})`;
