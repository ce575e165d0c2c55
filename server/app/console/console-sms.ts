/** A phone that sends a text to a number of the service, simulated by the console. */
import { randomUUID } from 'node:crypto';
import { receiveText } from '../../domain/messages/incoming-texts.ts';
import { ApiError } from '../../kernel/errors.ts';
import { requireNumber } from '../../kernel/formats/phone.ts';
import { object, optional, text, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';

/** The body of a request that simulates an incoming SMS; numbers are in E.164. */
export const IncomingTextRequest = object({
  from: text(1, 32),
  to: optional(text(1, 32)),
  text: text(1, 1600),
});
export type IncomingTextRequest = Static<typeof IncomingTextRequest>;

/**
 * Receives a text as the provider's webhook would. Any number of the service will do, so that `to` may be omitted.
 * @returns whether it was delivered to an inbox
 */
export async function simulateIncomingText(
  services: Services,
  texted: IncomingTextRequest,
): Promise<{ delivered: boolean }> {
  if (services.sms.receive) throw new ApiError('not_found', { message: 'Texts come by the configured provider.' });
  const from = requireNumber('from', texted.from);
  if (texted.to !== undefined) requireNumber('to', texted.to);
  return { delivered: await receiveText(services, { id: `console-${randomUUID()}`, from, text: texted.text }) };
}
