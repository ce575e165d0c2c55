import { Account, presentAccount, presentUser, PublicUser } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { component, moment, nullable, object, Type } from '../../kernel/schema.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { number_hold_s, selectMe } from './queries.ts';

export const Me = component(
  'Me',
  object({
    ...Account.properties,
    invited_by: nullable(PublicUser),
    mobile_claim: nullable(
      object(
        { claimed_at: moment, passes_at: moment },
        {
          description:
            'When your number, verified by another account, is transferred to it unless you verify it again.',
        },
      ),
    ),
    gate: object({ mobile_verified: Type.Boolean(), required_for: Type.String() }),
  }),
);

export const getMe = endpoint({
  id: 'getMe',
  route: 'GET /me',
  summary: 'Get your profile and account state',
  gate: 'token',
  reply: Me,
  async run({ caller, db, services }) {
    const { inviter, claimed_at, ...user } = found(await selectMe(db, caller.user_id));
    return {
      ...presentAccount(user, { services }),
      invited_by: inviter && presentUser(inviter, { services }),
      mobile_claim: claimed_at && {
        claimed_at: wireTime(claimed_at),
        passes_at: wireTime(after(claimed_at, number_hold_s)),
      },
      gate: { mobile_verified: user.mobile_verified, required_for: 'most endpoints' },
    };
  },
});
