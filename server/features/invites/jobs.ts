import { deliver } from '../../domain/delivery/delivery.ts';
import { writeLetter } from '../../domain/delivery/letters.ts';
import { recordSender } from '../../domain/messages/incoming-texts.ts';
import { linkUrl } from '../../domain/public-links/links.ts';
import { isNumberBlocked } from '../../domain/visibility/numbers.ts';
import { areNotBlocked } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { change } from '../../kernel/services.ts';

type Sending = {
  user_id: string;
  channel: 'sms' | 'email';
  address: string;
  message: string | null;
  inviter: string;
  locale: string;
  sealed: string;
};

/**
 * Sends an open invite. It runs after the request, so that the answer takes the same time whether the recipient has an
 * account or not; an account that has blocked the sender receives nothing.
 */
export const sendInvite = job<{ invite_id: string }>({
  name: 'invites.send',
  max_attempts: 5,
  async run({ invite_id }, services) {
    await change(services, async (one) => {
      const invite = await one.db.maybe<Sending>(sql`
        select i.user_id, i.channel, i.address, i.message, s.display_name as inviter, p.sealed,
          -- The language of the recipient if the address has an account, else that of the inviter: the two know each other.
          coalesce((select u.locale from users u where u.deleted_at is null
            and ((i.channel = 'email' and u.email = i.address and u.email_verified)
              or (i.channel = 'sms' and u.mobile_number = i.address and u.mobile_verified)) limit 1), s.locale) as locale
        from invites i join users s on s.id = i.user_id
          join public_links p on p.kind = 'invite' and p.subject_id = i.id and p.revoked_at is null
        where i.id = ${invite_id} and i.state = 'sent' and i.expires_at > ${one.now}
          and s.deleted_at is null and s.suspended_at is null
          and not (i.channel = 'sms' and ${isNumberBlocked(sql`i.user_id`, sql`i.address`)})
          and not exists (
            select 1 from users u where u.deleted_at is null and not ${areNotBlocked(sql`i.user_id`, 'u.id')}
              and i.channel = 'email' and u.email = i.address and u.email_verified)`);
      if (!invite) return;
      const link = linkUrl(services, 'invite', invite.sealed);
      if (invite.channel === 'sms') await recordSender(one, invite.address, invite.user_id);
      const { inviter, message } = invite;
      const letter = writeLetter('invite', languageOfLocale(invite.locale), { link, inviter, message });
      deliver(one, services, invite.channel, invite.address, letter);
    });
  },
});
