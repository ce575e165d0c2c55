/** Somebody who texts a number of the service, as the console plays them. */
import { randomUUID } from 'node:crypto';
import { receiveText } from '../../domain/messages/incoming-texts.ts';
import { ApiError } from '../../kernel/errors.ts';
import { requireNumber } from '../../kernel/formats/phone.ts';
import { object, optional, text, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';

export const TextedIn = object({
  from: text(1, 32),
  to: optional(text(1, 32)),
  text: text(1, 1600),
});
export type TextedIn = Static<typeof TextedIn>;

/**
 * Takes a text as the provider's webhook would. A number of the service is as good as any other, so that `to` may be left out.
 * @returns whether it was for somebody and is in their inbox
 */
export async function textIn(services: Services, texted: TextedIn): Promise<{ delivered: boolean }> {
  if (services.sms.receive) throw new ApiError('not_found', { message: 'Texts come by the configured provider.' });
  const from = requireNumber('from', texted.from);
  if (texted.to !== undefined) requireNumber('to', texted.to);
  return { delivered: await receiveText(services, { id: `console-${randomUUID()}`, from, text: texted.text }) };
}
