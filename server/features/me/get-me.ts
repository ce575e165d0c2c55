import { Account, presentAccount, requireAccount } from '../../domain/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { component, object, Type } from '../../kernel/schema.ts';

export const Me = component(
  'Me',
  object({ ...Account.properties, gate: object({ mobile_verified: Type.Boolean(), required_for: Type.String() }) }),
);

export const getMe = endpoint({
  id: 'getMe',
  route: 'GET /me',
  summary: 'Profile plus gate state',
  gate: 'token',
  reply: Me,
  async run({ caller, db, services }) {
    const user = await requireAccount(db, caller.user_id);
    return {
      ...presentAccount(user, services.public_url),
      gate: { mobile_verified: user.mobile_verified, required_for: 'most endpoints' },
    };
  },
});
