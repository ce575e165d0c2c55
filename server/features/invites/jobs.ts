import { deliver } from '../../domain/delivery/delivery.ts';
import { writeLetter } from '../../domain/delivery/letters.ts';
import { recordSender } from '../../domain/messages/incoming-texts.ts';
import { linkUrl } from '../../domain/public-links/links.ts';
import { job } from '../../kernel/job.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { change } from '../../kernel/services.ts';
import { selectSending } from './queries.ts';

/**
 * Sends an open invite. It runs after the request, so that the answer takes the same time whether the recipient has an
 * account or not; an account that has blocked the sender receives nothing.
 */
export const sendInvite = job<{ invite_id: string }>({
  name: 'invites.send',
  max_attempts: 5,
  async run({ invite_id }, services) {
    await change(services, async (one) => {
      const invite = await selectSending(one, invite_id);
      if (!invite) return;
      const link = linkUrl(services, 'invite', invite.sealed);
      if (invite.channel === 'sms') await recordSender(one, invite.address, invite.user_id);
      const { inviter, message } = invite;
      const letter = writeLetter('invite', languageOfLocale(invite.locale), { link, inviter, message });
      deliver(one, invite.channel, invite.address, letter, { user_id: invite.user_id, invite_id });
    });
  },
});
