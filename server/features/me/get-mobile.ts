import { requireAccount, type UserRow } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { component, nullable, object, Type } from '../../kernel/schema.ts';

export const Mobile = component(
  'Mobile',
  object({ mobile_number: nullable(Type.String()), mobile_verified: Type.Boolean() }),
);

/** An account's number and whether it is verified. */
export function presentMobile(user: Pick<UserRow, 'mobile_number' | 'mobile_verified'>) {
  return { mobile_number: user.mobile_number, mobile_verified: user.mobile_verified };
}

export const getMobile = endpoint({
  id: 'getMobile',
  route: 'GET /me/mobile',
  summary: 'Get your mobile number',
  gate: 'token',
  reply: Mobile,
  async run({ caller, db }) {
    return presentMobile(await requireAccount(db, caller.user_id));
  },
});
