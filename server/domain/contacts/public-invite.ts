/** The content of an invite link: who invites, shown before registration. */
import type { Queryable } from '../../kernel/database/database.ts';
import { component, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser } from '../accounts/accounts.ts';
import { selectOpenInvite } from './invites.ts';
import type { LinkRow } from '../public-links/links.ts';

export const PublicInvite = component(
  'PublicInvite',
  object({ kind: oneOf('invite'), inviter: PublicUser, message: nullable(Type.String()), expires_at: moment }),
);

/** Opens the link of an invite. */
export async function openInviteLink(
  db: Queryable,
  link: LinkRow,
  services: Services,
): Promise<Static<typeof PublicInvite>> {
  const { inviter, message, expires_at } = await selectOpenInvite(db, link.subject_id);
  return { kind: 'invite', inviter: presentUser(inviter, { services }), message, expires_at: wireTime(expires_at) };
}
