import { Account, presentAccount, presentUser, PublicUser } from '../../domain/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { component, nullable, object, Type } from '../../kernel/schema.ts';
import { selectMe } from './queries.ts';

export const Me = component(
  'Me',
  object({
    ...Account.properties,
    invited_by: nullable(PublicUser),
    gate: object({ mobile_verified: Type.Boolean(), required_for: Type.String() }),
  }),
);

export const getMe = endpoint({
  id: 'getMe',
  route: 'GET /me',
  summary: 'Profile plus gate state',
  gate: 'token',
  reply: Me,
  async run({ caller, db, services }) {
    const { inviter, ...user } = found(await selectMe(db, caller.user_id));
    return {
      ...presentAccount(user, services.public_url),
      invited_by: inviter && presentUser(inviter, services.public_url),
      gate: { mobile_verified: user.mobile_verified, required_for: 'most endpoints' },
    };
  },
});
