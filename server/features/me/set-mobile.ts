import { MobileNumber, requireAccount } from '../../domain/accounts/accounts.ts';
import { requireTextable } from '../../kernel/formats/phone.ts';
import { invalidateSessions } from '../../domain/accounts/session-events.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';
import { Mobile, presentMobile } from './get-mobile.ts';

export const setMobile = endpoint({
  id: 'setMobile',
  route: 'PUT /me/mobile',
  summary: 'Set your mobile number',
  gate: 'token',
  throttle: 'mobile_number',
  body: object({ mobile_number: MobileNumber }),
  reply: Mobile,
  async run({ caller, body, services, ...change }) {
    const mobile_number = requireTextable('mobile_number', body.mobile_number);
    const user = await requireAccount(change.db, caller.user_id);
    // A code sent to another number must not verify this one.
    await change.db.run(sql`
      update challenges set closed_at = ${change.now} where user_id = ${user.id} and purpose = 'mobile' and closed_at is null`);
    await change.db.run(sql`
      update users set mobile_number = ${mobile_number}, mobile_verified = false, mobile_verified_at = null where id = ${user.id}`);
    await invalidateSessions(change, services, user.id);
    return presentMobile({ mobile_number, mobile_verified: false });
  },
});
