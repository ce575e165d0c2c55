/** The signature of Twilio's requests (https://www.twilio.com/docs/usage/security#validating-requests). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierRequest } from './ports.ts';

/** HMAC-SHA1 over the address and the sorted parameters of the body, in base64. */
export function signTwilio(auth_token: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].toSorted();
  const parameters = names.flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value));
  return createHmac('sha1', auth_token)
    .update(url + parameters.join(''))
    .digest('base64');
}

/** The parameters of a request; undefined when the signature is wrong. */
export function verifyTwilio(
  auth_token: string,
  { url, headers, raw_body }: CarrierRequest,
): URLSearchParams | undefined {
  const form = new URLSearchParams(raw_body);
  const given = Buffer.from(headers['x-twilio-signature'] ?? '');
  const expected = Buffer.from(signTwilio(auth_token, url, form));
  return given.length === expected.length && timingSafeEqual(given, expected) ? form : undefined;
}
