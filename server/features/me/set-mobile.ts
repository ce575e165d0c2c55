import { MobileNumber, requireAccount } from '../../domain/accounts/accounts.ts';
import { invalidateSessions } from '../../domain/accounts/session-events.ts';
import { requireTextable } from '../../kernel/formats/phone.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';
import { Mobile, presentMobile } from './get-mobile.ts';
import { closeMobileCodes, setNumber } from './queries.ts';

export const setMobile = endpoint({
  id: 'setMobile',
  route: 'PUT /me/mobile',
  summary: 'Set your mobile number',
  gate: 'token',
  throttle: 'mobile_number',
  body: object({ mobile_number: MobileNumber }),
  reply: Mobile,
  async run({ caller, body, ...change }) {
    const mobile_number = requireTextable('mobile_number', body.mobile_number);
    const user = await requireAccount(change.db, caller.user_id);
    await closeMobileCodes(change, user.id);
    await setNumber(change.db, user.id, mobile_number);
    await invalidateSessions(change, user.id);
    return presentMobile({ mobile_number, mobile_verified: false });
  },
});
