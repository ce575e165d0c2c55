import { email_pattern } from '../../domain/accounts/accounts.ts';
import { invite_channels } from '../../domain/contacts/invites.ts';
import { invalid } from '../../kernel/errors.ts';
import { requireTextable } from '../../kernel/formats/phone.ts';
import { object, oneOf, optional, text, visibleText, type Static } from '../../kernel/schema.ts';

export const NewInvite = object({
  channel: oneOf(...invite_channels),
  to: text(3, 254, 'An e-mail address, or a mobile number in E.164.'),
  message: optional(visibleText(1, 280)),
});

const is_email = new RegExp(email_pattern, 'u');

/** The recipient of an invite: an e-mail in lower case, or a number in E.164. @throws ApiError `validation_failed` */
export function normaliseRecipient({ channel, to }: Static<typeof NewInvite>): string {
  if (channel === 'sms') return requireTextable('to', to);
  const address = to.toLowerCase();
  return is_email.test(address) ? address : invalid({ to: 'is not a valid e-mail address' });
}
