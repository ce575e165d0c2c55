import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { Invite, presentInvite } from '../../domain/contacts/invites.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { sendInvite } from './jobs.ts';
import { insertInvite, lockOpenInvite, recordSent } from './queries.ts';
import { NewInvite, normaliseRecipient } from './schemas.ts';

/** The minimum interval between sending the same open invite again. */
const resend_after_s = 24 * 60 * 60;

export const createInvite = endpoint({
  id: 'createInvite',
  route: 'POST /invites',
  summary: 'Send an invite',
  body: NewInvite,
  reply: Invite,
  status: [201, 200],
  errors: ['conflict'],
  async run({ body, caller, origin, consume, ...change }) {
    const address = normaliseRecipient(body);
    const { channel, message = null } = body;
    const budget = async () => {
      await consume('invite', caller.user_id);
      await consumeMessageBudget(consume, { channel, to: address, ip: origin.ip });
    };
    const open = await lockOpenInvite(change, caller.user_id, address);
    if (open) {
      if (change.now.getTime() - open.sent_at.getTime() >= resend_after_s * 1000) {
        await budget();
        await recordSent(change, open.id);
        change.enqueue(sendInvite, { invite_id: open.id });
      }
      return reply(200, presentInvite(open, change));
    }
    await budget();
    const made = await insertInvite(change, caller.user_id, { channel, address, message });
    if (made) {
      change.enqueue(sendInvite, { invite_id: made.id });
      return presentInvite(made, change);
    }
    // A concurrent request created it.
    const theirs = await lockOpenInvite(change, caller.user_id, address);
    return reply(200, presentInvite(theirs ?? fail('conflict'), change));
  },
});
