/** Chooses who rings phones: LiveKit's SIP service, Twilio, or the simulator. */
import type { Outtray, Telephony, Voices } from '../engines/ports.ts';
import { createConsoleTelephony } from '../engines/telephony.console.ts';
import { ConfigError, type Config } from './config.ts';

/** Says before anything is started when nobody would ring phones. @throws ConfigError naming what is missing */
export function requireTelephony({ console }: Config): void {
  if (!console)
    throw new ConfigError(
      'Set LIVEKIT_SIP_TRUNK_ID or TWILIO_VOICE_FROM, or CONSOLE=on to run with a simulator instead.',
    );
}

/** The phone network that the configuration names. */
export async function openTelephony(config: Config, outtray: Outtray, voices: Voices): Promise<Telephony> {
  return createConsoleTelephony({ outtray, dial_in_number: config.dial_in_number, voices });
}
