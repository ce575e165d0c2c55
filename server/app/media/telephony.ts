/** Chooses the phone network: LiveKit's SIP service, Twilio, or the simulator. */
import type { OutboxSink, Telephony, PhoneParticipants } from '../../engines/ports.ts';
import { createConsoleTelephony } from '../../engines/telephony/console.ts';
import { type Config } from '../config/config.ts';
import { ConfigError } from '../config/reader.ts';

/** Checks before anything is started that there is a phone network. @throws ConfigError naming what is missing */
export function requireTelephony({ console, sip, twilio_voice_from }: Config): void {
  if (!console && !sip && !twilio_voice_from)
    throw new ConfigError(
      'Set LIVEKIT_SIP_TRUNK_ID or TWILIO_VOICE_FROM, or CONSOLE=on to run with a simulator instead.',
    );
}

/** The configured phone network. */
export async function openTelephony(
  config: Config,
  outbox_sink: OutboxSink,
  phone_participants: PhoneParticipants,
): Promise<Telephony> {
  const { sip, livekit, twilio, twilio_voice_from, dial_in_number, public_url } = config;
  if (sip && livekit) {
    const { createLiveKitTelephony } = await import('../../engines/telephony/livekit.ts');
    const { url, api_key, api_secret } = livekit;
    return createLiveKitTelephony({
      api_url: url.replace(/^ws/, 'http'),
      api_key,
      api_secret,
      trunk: sip,
      dial_in_number,
    });
  }
  if (twilio && twilio_voice_from) {
    const { createTwilioTelephony } = await import('../../engines/telephony/twilio.ts');
    const { account_sid, auth_token } = twilio;
    return createTwilioTelephony({
      account_sid,
      auth_token,
      from: twilio_voice_from,
      dial_in_number,
      public_url,
      phone_participants,
    });
  }
  return createConsoleTelephony({ outbox_sink, dial_in_number, phone_participants });
}
