import { lockAddress } from '../../domain/accounts/accounts.ts';
import { closeChallenge, Code } from '../../domain/accounts/challenges.ts';
import { acceptInvite } from '../../domain/contacts/invites.ts';
import { SignedIn, signIn } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';
import { insertUser, isAddressTaken, isUsernameHeld, lockUsername } from './queries.ts';

export const verifyRegistration = endpoint({
  id: 'verifyRegistration',
  route: 'POST /auth/register/verify',
  summary: 'Verify the registration code',
  gate: 'public',
  throttle: 'sign_in_ip',
  // The answer contains tokens, which are not stored in clear text, so that it cannot be replayed.
  idempotent: false,
  body: object({ registration_id: text(1, 64), code: Code }),
  session: 'opens',
  reply: SignedIn,
  status: [201],
  errors: ['gone', 'username_taken', 'address_taken'],
  async run({ body, origin, consume, ...change }) {
    await consume('sign_in', body.registration_id);
    const { data, username, channel, address } = await closeChallenge(
      change,
      'register',
      body.registration_id,
      body.code,
    );
    const name = username ?? '';
    await lockUsername(change.db, name);
    if (await isUsernameHeld(change.db, name, change.now)) fail('username_taken');
    await lockAddress(change.db, address);
    if (await isAddressTaken(change.db, channel, address))
      fail('address_taken', { message: 'This address has since been verified on another account.' });
    const id = change.id('usr');
    await insertUser(
      change.db,
      {
        id,
        username: name,
        password_hash: data['password_hash'] ?? '',
        display_name: data['display_name'] ?? name,
        email: data['email'] ?? null,
        mobile_number: data['mobile_number'] ?? null,
        locale: data['locale'] ?? 'en',
      },
      channel,
      change.now,
    );
    if (data['invite_id'])
      await acceptInvite(change, data['invite_id'], { id, display_name: data['display_name'] ?? name });
    return signIn(change, id, origin);
  },
});
