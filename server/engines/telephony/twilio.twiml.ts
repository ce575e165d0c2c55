/** Twilio's instructions for a phone call (https://www.twilio.com/docs/voice/twiml). */
import type { CarrierAnswer } from '../ports.ts';
import type { Leg, StreamTokens } from './twilio.stream-tokens.ts';

const webhook_path = '/v1/telephony/webhook';
const stream_path = '/v1/telephony/stream';
const pin_digits = 8;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** A document with these verbs. */
const twiml = (verbs: string): CarrierAnswer => ({
  content_type: 'text/xml; charset=utf-8',
  body: `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`,
});

/** The documents, with our addresses for the next steps. */
export function createTwiml(public_url: string, tokens: StreamTokens) {
  const stream_url = escapeXml(`${public_url.replace(/^http/, 'ws')}${stream_path}`);
  return {
    /** The address for reports about a leg. */
    callback: (leg_id: string) => `${public_url}${webhook_path}?leg=${leg_id}`,
    /**
     * Connects the audio of a phone to us until either side ends it; the connection must be opened within
     * `valid_s` seconds.
     */
    connect(leg: Leg, valid_s: number) {
      const parameter = `<Parameter name="token" value="${tokens.issue(leg, valid_s)}"/>`;
      return twiml(`<Connect><Stream url="${stream_url}">${parameter}</Stream></Connect>`);
    },
    askForDigits(say: string, attempt: number) {
      const action = escapeXml(`${public_url}${webhook_path}?attempt=${attempt}`);
      const how = `input="dtmf" numDigits="${pin_digits}" finishOnKey="#" timeout="15" action="${action}"`;
      return twiml(`<Gather ${how}><Say>${say}</Say></Gather><Hangup/>`);
    },
    goodbye: () => twiml('<Say>Goodbye.</Say><Hangup/>'),
  };
}
