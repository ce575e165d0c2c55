/** Texting: sends a short text to a person, a group or a phone, by the channel of each. */
import { invalid, notFoundAsInvalid } from '../../kernel/errors.ts';
import type { InProcessContext, Request } from '../../kernel/services.ts';
import { phoneOf, requireContact } from '../contacts/contacts.ts';
import { deliver, consumeMessageBudget } from '../delivery/delivery.ts';
import { recordSender } from './incoming-texts.ts';
import type { CallTarget } from '../calls/start/callees.ts';
import { requireDialable } from '../calls/phones/phone-policy.ts';
import { requireAccount } from '../accounts/accounts.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { selectBlockedNumbers } from '../visibility/numbers.ts';

/** A contact is reached by the account that it matches, else by SMS. */
type Addressee = Exclude<CallTarget, { contact_id: string }>;

/** Resolves a target. @throws ApiError `validation_failed` that names the field */
async function resolveAddressee(
  { caller, change }: Pick<InProcessContext, 'caller' | 'change'>,
  target: CallTarget,
  field: string,
): Promise<Addressee> {
  if (!('contact_id' in target)) return target;
  const absent = notFoundAsInvalid({ [field]: 'is not one of your contacts' });
  const contact = await requireContact(change.db, target.contact_id, caller.user_id).catch(absent);
  if (contact.user) return { user_id: contact.user.id };
  const phone = phoneOf(contact);
  return phone ? { phone } : invalid({ [field]: 'has no account and no phone number' });
}

/**
 * Sends a text to a target: a direct message to a user or a tag, a chat message to a group, an SMS to a phone or to a
 * contact without an account.
 * @returns the answer of the operation that was run; for an SMS the number
 * @throws ApiError what that operation refuses; for SMS `rate_limited`
 */
export async function sendText(by: InProcessContext, target: CallTarget, body: string): Promise<unknown> {
  const addressee = await resolveAddressee(by, target, 'target');
  if ('phone' in addressee) return sendShort(by, addressee.phone, body);
  const { operations } = by.change.services;
  const post = async (path: string, request: Request) => (await operations.call('POST', path, by, request)).body;
  if ('group_id' in addressee) return post('/groups/{group_id}/chat', { path: addressee, body: { body } });
  const thread = (await post('/dm/threads', { body: addressee })) as { id: string };
  return post('/dm/threads/{thread_id}/chat', { path: { thread_id: thread.id }, body: { body } });
}

async function sendShort(by: InProcessContext, phone: string, body: string): Promise<{ to: string }> {
  const { caller, origin, change, consume } = by;
  requireShort(body);
  const to = requireDialable(change.services, 'target.phone', phone);
  await consumeMessageBudget(consume, { channel: 'sms', to, ip: origin.ip, user_id: caller.user_id });
  // Accepted like any other, so that nobody learns whose number it is by trying.
  if ((await selectBlockedNumbers(change.db, caller.user_id, [to])).has(to)) return { to };
  const { display_name } = await requireAccount(change.db, caller.user_id);
  await recordSender(change, to, caller.user_id);
  deliver(change, 'sms', to, { subject: '', text: `${display_name}: ${body}` }, { user_id: caller.user_id });
  return { to };
}

/** @throws ApiError `validation_failed` for more than a few short messages hold */
export function requireShort(body: string): void {
  const max = default_limits.sms_characters;
  if (body.length > max) invalid({ body: `is longer than ${max} characters, the most for a text to a phone` });
}
