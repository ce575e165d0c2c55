import { lockAddress, requireAccount, type UserRow } from '../../domain/accounts/accounts.ts';
import { closeChallenge, Code, newestChallenge } from '../../domain/accounts/challenges.ts';
import { deliver } from '../../domain/delivery/delivery.ts';
import { writeLetter } from '../../domain/delivery/letters.ts';
import { deliverNotice } from '../../domain/inbox/inbox.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { invalidateSessions } from '../../domain/accounts/session-events.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { ApiError, fail } from '../../kernel/errors.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { object } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { Mobile, presentMobile } from './get-mobile.ts';
import { claimNumber, deleteClaims, number_hold_s, selectHolder, unverifyNumber, verifyNumber } from './queries.ts';

export const verifyMobile = endpoint({
  id: 'verifyMobile',
  route: 'POST /me/mobile/verify',
  summary: 'Verify your mobile number',
  gate: 'token',
  idempotent: false,
  body: object({ code: Code }),
  reply: Mobile,
  errors: ['gone', 'mobile_taken'],
  async run({ caller, body, consume, ...change }) {
    await consume('sign_in', caller.user_id);
    const { db, now } = change;
    const user = await requireAccount(db, caller.user_id);
    const open = await newestChallenge(db, user.id, 'mobile');
    if (!open) fail('gone', { message: 'Request a code first.' });
    const { address } = await closeChallenge(change, 'mobile', open.id, body.code);
    await lockAddress(db, address);
    const holder = await selectHolder(db, address, user.id);
    if (holder) {
      const { since, fresh } = await claimNumber(db, address, user.id, now);
      if (fresh) await warnOwner(change, holder, address);
      if (after(since, number_hold_s) > now) throw new ApiError('mobile_taken', { commit: true });
      await unverifyNumber(db, holder.id);
      await invalidateSessions(change, holder.id);
    }
    await deleteClaims(db, address);
    await verifyNumber(db, user.id, address, now);
    await invalidateSessions(change, user.id);
    return presentMobile({ mobile_number: address, mobile_verified: true });
  },
});

/**
 * Warns the owner of a number that another account has verified it, through every channel, the number itself included:
 * after SIM-swap fraud the SMS arrives at the fraudster, but neither the e-mail nor the pushes do.
 */
async function warnOwner(change: Change, holder: UserRow, number: string): Promise<void> {
  const claimed = writeLetter('number_claimed', languageOfLocale(holder.locale), undefined);
  if (holder.email_verified && holder.email) deliver(change, 'email', holder.email, claimed);
  deliver(change, 'sms', number, claimed);
  await deliverNotice(change, holder.id, claimed.text);
  await notify(change, {
    to: holder.id,
    kind: 'mobile_claimed',
    subject: { type: 'user', id: holder.id },
    actor_id: holder.id,
    source_id: change.id('mob'),
  });
}
