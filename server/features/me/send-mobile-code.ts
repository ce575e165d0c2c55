import { requireAccount } from '../../domain/accounts/accounts.ts';
import {
  canResend,
  CodeSent,
  lockOpenChallenge,
  newestChallenge,
  openChallenge,
  presentSent,
  resendChallenge,
} from '../../domain/accounts/challenges.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { closeMobileCodes } from './queries.ts';

export const sendMobileCode = endpoint({
  id: 'sendMobileCode',
  route: 'POST /me/mobile/codes',
  summary: 'Send a verification code',
  gate: 'token',
  reply: CodeSent,
  status: [202],
  errors: ['mobile_missing'],
  async run({ caller, consume, origin, ...change }) {
    const user = await requireAccount(change.db, caller.user_id);
    if (!user.mobile_number) fail('mobile_missing', { message: 'Add a mobile number first.' });
    await consumeMessageBudget(consume, { channel: 'sms', to: user.mobile_number, ip: origin.ip, user_id: user.id });
    await lockOpenChallenge(change.db, user.id, 'mobile');
    const open = await newestChallenge(change.db, user.id, 'mobile');
    // While the open challenge can be sent again, its earlier codes are refused as replaced.
    if (open && canResend(open, change.now)) return presentSent(await resendChallenge(change, 'mobile', open.id));
    await closeMobileCodes(change, user.id);
    const row = await openChallenge(change, {
      purpose: 'mobile',
      user_id: user.id,
      channel: 'sms',
      address: user.mobile_number,
      locale: user.locale,
    });
    return presentSent(row);
  },
});
