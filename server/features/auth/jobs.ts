import { findAccount } from '../../domain/accounts/accounts.ts';
import { deliver } from '../../domain/delivery/delivery.ts';
import { writeLetter } from '../../domain/delivery/letters.ts';
import { job } from '../../kernel/job.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { hashToken, generateToken } from '../../kernel/security/secret.ts';
import { change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { insertSentLink } from './queries.ts';

/** What links are sent for. */
export const link_purposes = {
  magic: { ttl_s: 15 * 60, path: '/app/magic' },
  reset: { ttl_s: 30 * 60, path: '/app/reset' },
};
type LinkPurpose = keyof typeof link_purposes;

/**
 * Finds the named account and sends it a link. It runs after the request, so that the answer takes the same time
 * whether the account exists or not.
 */
export const sendLink = job<{ purpose: LinkPurpose; sealed_identifier: string }>({
  name: 'auth.link',
  max_attempts: 3,
  async run({ purpose, sealed_identifier }, services) {
    await change(services, async (one) => {
      const user = await findAccount(one.db, services.secrets.unseal(sealed_identifier) as string);
      if (!user) return;
      const { ttl_s, path } = link_purposes[purpose];
      // By e-mail if possible: a number may have another owner by now.
      const channel = user.email_verified ? 'email' : 'sms';
      const address = user.email_verified
        ? user.email
        : user.mobile_verified && purpose === 'reset'
          ? user.mobile_number
          : null;
      if (!address) return;
      const token = generateToken();
      await insertSentLink(
        one.db,
        { hash: hashToken(token), purpose, user_id: user.id, expires_at: after(one.now, ttl_s) },
        one.now,
      );
      const link = `${services.public_url}${path}?token=${token}`;
      deliver(one, channel, address, writeLetter(purpose, languageOfLocale(user.locale), { link }));
    });
  },
});
