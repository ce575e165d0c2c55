import { Email, MobileNumber, Password, Username } from '../../domain/accounts/accounts.ts';
import { requireUnreserved } from '../../domain/accounts/reserved-names.ts';
import { requireTextable } from '../../kernel/formats/phone.ts';
import { openChallenge, presentSent, RegistrationSent } from '../../domain/accounts/challenges.ts';
import { writeLetter } from '../../domain/delivery/letters.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { requireOpenInvite } from '../../domain/contacts/invites.ts';
import { LinkToken } from '../../domain/public-links/links.ts';
import { requireGoodPassword } from '../../domain/accounts/passwords.ts';
import { hashPassword } from '../../kernel/security/hashing.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { languageOfOrigin, languageOfLocale } from '../../kernel/language/accept-language.ts';
import { networksOf } from '../../kernel/load/client-address.ts';
import { object, optional, lineText } from '../../kernel/schema.ts';
import { selectHolderLocale, isUsernameHeld, lockUsername } from './queries.ts';

export const register = endpoint({
  id: 'register',
  route: 'POST /auth/register',
  summary: 'Register an account',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({
    username: Username,
    password: Password,
    display_name: optional(lineText(1, 60)),
    email: optional(Email),
    mobile_number: optional(MobileNumber),
    invite_token: optional(LinkToken),
  }),
  reply: RegistrationSent,
  status: [201],
  errors: ['username_taken', 'gone'],
  async prepare({ body, consume, origin, services, now }) {
    const networks = networksOf(origin.ip);
    services.hashing.requireRoom(networks);
    const username = body.username.toLowerCase();
    requireUnreserved('username', username);
    await requireGoodPassword('password', body.password, username);
    if (!body.email && !body.mobile_number)
      invalid({
        email: 'is required unless mobile_number is given',
        mobile_number: 'is required unless email is given',
      });
    const mobile_number = body.mobile_number ? requireTextable('mobile_number', body.mobile_number) : null;
    const invite = body.invite_token && (await requireOpenInvite(services.db, body.invite_token, now));
    const email = body.email?.toLowerCase() ?? null;
    const sending = email
      ? { channel: 'email' as const, address: email }
      : { channel: 'sms' as const, address: mobile_number ?? '' };
    await consumeMessageBudget(consume, { channel: sending.channel, to: sending.address, ip: origin.ip });
    const password_hash = await hashPassword(services, networks, body.password);
    return { username, email, mobile_number, password_hash, invite_id: invite ? invite.id : null, ...sending };
  },
  async run({ body, prepared, origin, ...change }) {
    const { username, channel, address, password_hash, email, mobile_number, invite_id } = prepared;
    await lockUsername(change.db, username);
    if (await isUsernameHeld(change.db, username, change.now))
      fail('username_taken', { fields: { username: 'is already taken' } });
    // The person who registers does not learn who has an account; the owner of the account is notified.
    const holder_locale = await selectHolderLocale(change.db, channel, address);
    const row = await openChallenge(change, {
      purpose: 'register',
      username,
      channel,
      address,
      data: { password_hash, email, mobile_number, invite_id, display_name: body.display_name ?? username },
      locale: languageOfOrigin(origin),
      ...(holder_locale !== undefined && {
        instead: writeLetter('already_registered', languageOfLocale(holder_locale), undefined),
      }),
    });
    return { status: 'code_sent' as const, registration_id: row.id, ...presentSent(row) };
  },
});
