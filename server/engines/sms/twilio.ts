/** SMS by Twilio's REST API (https://www.twilio.com/docs/messaging/api/message-resource). */
import { askProvider, readJson } from '../answers.ts';
import type { Sms } from '../ports.ts';
import { verifyTwilio } from '../twilio-signature.ts';

/** An account of Twilio, for SMS. */
export type TwilioOptions = {
  account_sid: string;
  auth_token: string;
  /** The sending number in E.164, or a messaging service (`MG…`). */
  from: string;
  /** Another address than Twilio's, for tests. */
  base_url?: string;
  timeout_ms?: number;
};

const e164 = /^\+[1-9]\d{6,14}$/;
/** The answer to Twilio's webhook: nothing is to be sent back (https://www.twilio.com/docs/messaging/twiml). */
const answer = { content_type: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>' };

/**
 * `send` resolves when Twilio has accepted the message, and rejects with Twilio's code and text otherwise, or when
 * there is no answer for `timeout_ms` (10 s). Errors contain neither the token nor the message.
 */
export function createTwilioSms(options: TwilioOptions): Sms {
  const { account_sid, auth_token, from, base_url = 'https://api.twilio.com', timeout_ms = 10_000 } = options;
  const address = `${base_url}/2010-04-01/Accounts/${account_sid}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`;
  const sender: Record<string, string> = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  return {
    async send({ to, text }) {
      const sent = await askProvider(address, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: to, Body: text, ...sender }),
        timeout_ms,
      });
      const body = readJson<{ code: number; message: string }>(sent.text);
      if (!sent.ok) {
        throw new Error(`Twilio refused a message: ${sent.status}, code ${body.code ?? 'none'}, ${body.message ?? ''}`);
      }
    },
    receive(request) {
      const form = verifyTwilio(auth_token, request);
      if (!form) return undefined;
      const [id, number, text] = ['MessageSid', 'From', 'Body'].map((name) => form.get(name) ?? '');
      // A picture message has no text, and some senders are names.
      if (!id || !number || !e164.test(number) || !text?.trim()) return { text: undefined, answer };
      return { text: { id, from: number, text }, answer };
    },
    close: () => Promise.resolve(),
  };
}
