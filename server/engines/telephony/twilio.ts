/**
 * Phones by Twilio (https://www.twilio.com/docs/voice): its REST API rings them, signed webhooks report their state,
 * and media streams carry their audio to and from us.
 */
import { askProvider, readJson } from '../answers.ts';
import type { LegReport, Telephony, PhoneParticipants } from '../ports.ts';
import { verifyTwilio } from '../twilio-signature.ts';
import { relayMediaStream } from './twilio.media-stream.ts';
import { createStreamTokens } from './twilio.stream-tokens.ts';
import { createTwiml } from './twilio.twiml.ts';

/** An account of Twilio, for calls. */
export type TwilioVoiceOptions = {
  account_sid: string;
  auth_token: string;
  /** The number that calls come from, in E.164. */
  from: string;
  /** A number of the account whose webhook is ours, in E.164. */
  dial_in_number?: string | undefined;
  /** Our address for Twilio, `https:`. */
  public_url: string;
  phone_participants: PhoneParticipants;
  /** Another address than Twilio's, for tests. */
  base_url?: string;
  timeout_ms?: number;
};

/** The polling interval of a leg, for lost reports, in seconds. */
const poll_every_s = { ringing: 15, answered: 60 };
const max_pin_attempts = 3;

/** Errors of the REST API with a specific meaning (https://www.twilio.com/docs/api/errors). */
const refusals: ReadonlySet<number> = new Set([
  10004, 13224, 13227, 20003, 20429, 21210, 21211, 21214, 21215, 21216, 21219,
]);

const e164 = /^\+[1-9]\d{6,14}$/;

type CallResource = { sid?: string; status?: unknown; price?: string | null; code?: number; message?: string };

/** A call that has already ended cannot be ended. */
const not_in_progress = 21220;

const refusedBy = (status: number, { code }: CallResource) =>
  new Error(`Twilio answered ${status}, code ${code ?? 'none'}`);

/** A client of Twilio's REST API for calls. Rejects for unexpected answers. */
function createCallsApi(options: TwilioVoiceOptions) {
  const { account_sid, auth_token, base_url = 'https://api.twilio.com', timeout_ms = 10_000 } = options;
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`;
  return async (resource: string, form?: URLSearchParams): Promise<{ status: number; body: CallResource }> => {
    const answer = await askProvider(`${base_url}/2010-04-01/Accounts/${account_sid}/${resource}.json`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization },
      ...(form ? { body: form } : {}),
      timeout_ms,
    });
    const body: CallResource = readJson<CallResource>(answer.text);
    if (answer.status >= 500 || (!answer.ok && answer.status !== 404 && body.code === undefined))
      throw refusedBy(answer.status, body);
    return { status: answer.status, body };
  };
}

/** `CallStatus` (https://www.twilio.com/docs/voice/api/call-resource#call-status-values). */
const statuses: ReadonlySet<string> = new Set([
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'canceled',
  'failed',
]);

/** Every code of this adapter, besides SIP responses, 300 to 699. */
export const twilio_codes = [...statuses, ...refusals, 'refused'].map((word) => `twilio:${word}`);

/** The state of a call, and if it failed the SIP response with the reason; undefined for an unknown state. */
function reportOf(leg_id: string, status = '', { sip = '', price = '' } = {}): LegReport | undefined {
  if (!statuses.has(status)) return undefined;
  const code = status === 'failed' && /^[3-6]\d\d$/.test(sip) ? `sip:${sip}` : `twilio:${status}`;
  // The price is negative, in dollars.
  return { leg_id, code, ...(price ? { cost_micros: Math.round(Math.abs(Number(price)) * 1e6) } : {}) };
}

type CallsApi = ReturnType<typeof createCallsApi>;

/** Prompts a phone that dials in for a PIN, a few times, and connects its audio to that call. */
async function answerDialIn(
  { ask, twiml }: { ask: CallsApi; twiml: ReturnType<typeof createTwiml> },
  form: URLSearchParams,
  attempt: number,
  admit: Parameters<Telephony['receive']>[1],
) {
  const digits = form.get('Digits');
  if (digits === null) return twiml.askForDigits('Please enter the digits of the call.', 1);
  const sid = form.get('CallSid') ?? '';
  const number = form.get('From') ?? '';
  // A caller with a hidden number is identified by this call only.
  const leg = await admit({ from: e164.test(number) ? number : sid, pin: digits, carrier_id: sid });
  if (!leg && attempt >= max_pin_attempts) return twiml.goodbye();
  if (!leg) return twiml.askForDigits('No call has these digits. Please try again.', attempt + 1);
  const form_of_leg = new URLSearchParams({
    StatusCallback: twiml.callback(leg.leg_id),
    TimeLimit: String(leg.max_duration_s),
  });
  // If this fails, the leg is found by polling and ended by the service itself.
  await ask(`Calls/${sid}`, form_of_leg).catch(() => undefined);
  return twiml.connect(leg, 60);
}

/** Creates the adapter; no request is sent before the first phone. Errors contain neither token nor numbers. */
export function createTwilioTelephony(options: TwilioVoiceOptions): Telephony {
  const { auth_token, from, public_url, phone_participants, dial_in_number } = options;
  const ask = createCallsApi(options);
  const tokens = createStreamTokens(auth_token);
  const streams = new Set<{ leg_id: string; end(): void }>();
  const twiml = createTwiml(public_url, tokens);

  return {
    dial_in_number,
    poll_every_s,
    async dial(leg) {
      const { leg_id, to, ring_s, max_duration_s } = leg;
      const form = new URLSearchParams({
        To: to,
        From: from,
        Twiml: twiml.connect(leg, ring_s + 60).body,
        Timeout: String(ring_s),
        TimeLimit: String(max_duration_s),
        StatusCallback: twiml.callback(leg_id),
      });
      for (const event of ['initiated', 'ringing', 'answered', 'completed']) form.append('StatusCallbackEvent', event);
      const { status, body } = await ask('Calls', form);
      if (body.sid && status < 300) return { carrier_id: body.sid };
      return { refused: body.code && refusals.has(body.code) ? `twilio:${body.code}` : 'twilio:refused' };
    },
    async hangUp(leg_id, carrier_id) {
      for (const stream of streams) if (stream.leg_id === leg_id) stream.end();
      if (!carrier_id) return;
      const { status, body } = await ask(`Calls/${carrier_id}`, new URLSearchParams({ Status: 'completed' }));
      if (status !== 404 && body.code && body.code !== not_in_progress) throw refusedBy(status, body);
    },
    async fetchLegState(leg_id, carrier_id) {
      if (!carrier_id) return undefined;
      const { status, body } = await ask(`Calls/${carrier_id}`);
      if (status === 404) return undefined;
      if (status !== 200) throw refusedBy(status, body);
      return reportOf(leg_id, String(body.status), { price: body.price ?? '' });
    },
    async receive(request, admit) {
      const form = verifyTwilio(auth_token, request);
      if (!form) return undefined;
      const query = new URL(request.url).searchParams;
      const leg_id = query.get('leg');
      if (!leg_id)
        return { answer: await answerDialIn({ ask, twiml }, form, Number(query.get('attempt') ?? 0), admit) };
      const report = reportOf(leg_id, form.get('CallStatus') ?? '', { sip: form.get('SipResponseCode') ?? '' });
      return { report, answer: { content_type: 'text/plain', body: '' } };
    },
    acceptAudio: (socket) => relayMediaStream(socket, phone_participants, tokens, streams),
    close() {
      for (const stream of streams) stream.end();
      return Promise.resolve();
    },
  };
}
