/** Configuration of phones. */
import { isPhoneCountry } from '../../kernel/formats/phone.ts';
import type { Reader, Variable } from './reader.ts';

/** The configuration of the phone network. */
export type PhoneConfig = {
  /** In E.164. */
  dial_in_number: string | undefined;
  /** ISO 3166-1, two letters. */
  phone_countries: ReadonlySet<string>;
  /** LiveKit's SIP service: an existing trunk, or the settings of a new one. */
  sip: { id: string } | { address: string; numbers: string[]; username?: string; password?: string } | undefined;
  /** The Twilio number that calls come from, in E.164. */
  twilio_voice_from: string | undefined;
};

/** Countries with ordinary prices: allowing every destination attracts toll fraud. */
const default_countries = 'US,CA,GB,IE,FR,DE,ES,IT,AU,JP,IN';

/** The phone variables, as printed by `config.ts`. */
export const phone_variables: Variable[] = [
  {
    name: 'LIVEKIT_SIP_TRUNK_ID',
    default: 'simulator',
    meaning: 'outbound trunk of LiveKit’s SIP service for calling phones; with LIVEKIT_URL',
  },
  {
    name: 'LIVEKIT_SIP_OUTBOUND_ADDRESS',
    default: '',
    meaning:
      'instead of a trunk: host and port of the SIP provider, for which one is created; with LIVEKIT_SIP_NUMBERS',
  },
  {
    name: 'LIVEKIT_SIP_NUMBERS',
    default: '',
    meaning: 'comma-separated numbers (E.164) from which it calls',
  },
  { name: 'LIVEKIT_SIP_USERNAME', default: '', meaning: 'account at the SIP provider; with LIVEKIT_SIP_PASSWORD' },
  { name: 'LIVEKIT_SIP_PASSWORD', default: '', meaning: 'password at the SIP provider' },
  {
    name: 'TWILIO_VOICE_FROM',
    default: 'simulator',
    meaning: 'Twilio number from which phones are called; with TWILIO_ACCOUNT_SID and an https PUBLIC_URL',
  },
  {
    name: 'DIAL_IN_NUMBER',
    default: 'fictional, with the simulator',
    meaning: 'number (E.164) by which phones dial in',
  },
  {
    name: 'PHONE_COUNTRIES',
    default: default_countries,
    meaning: 'comma-separated countries that may be called (ISO 3166-1), or none',
  },
];

const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Reads the phone variables.
 * @param has the other configured providers
 * @throws ConfigError naming the variable
 */
export function readPhones(read: Reader, has: { livekit: boolean; twilio: boolean }, public_url: string): PhoneConfig {
  const number = (name: string) => {
    const value = read.text(name);
    if (value !== undefined && !e164.test(value))
      read.refuse(`${name} must be a number in E.164, such as +14155550123, but is "${value}".`);
    return value;
  };
  const sip = readSip(read);
  const twilio_voice_from = number('TWILIO_VOICE_FROM');
  if (sip && !has.livekit) read.refuse('LIVEKIT_URL must be set too, since LIVEKIT_SIP_… is.');
  if (sip && twilio_voice_from) read.refuse('Set either LIVEKIT_SIP_… or TWILIO_VOICE_FROM: one of them rings phones.');
  if (twilio_voice_from && !has.twilio) read.refuse('TWILIO_ACCOUNT_SID must be set too, since TWILIO_VOICE_FROM is.');
  if (twilio_voice_from && !public_url.startsWith('https://'))
    read.refuse('PUBLIC_URL must begin with https:// for TWILIO_VOICE_FROM, since Twilio calls it.');
  return { dial_in_number: number('DIAL_IN_NUMBER'), phone_countries: readCountries(read), sip, twilio_voice_from };
}

function readCountries(read: Reader): Set<string> {
  const listed = read.text('PHONE_COUNTRIES') ?? default_countries;
  if (listed === 'none') return new Set();
  const countries = listed
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const wrong = countries.find((country) => !isPhoneCountry(country));
  if (wrong !== undefined)
    read.refuse(`PHONE_COUNTRIES must be none or two-letter country codes, such as US,GB, but one is "${wrong}".`);
  return new Set(countries);
}

function readSip(read: Reader): PhoneConfig['sip'] {
  const id = read.text('LIVEKIT_SIP_TRUNK_ID');
  const has_address = read.together(['LIVEKIT_SIP_OUTBOUND_ADDRESS', 'LIVEKIT_SIP_NUMBERS']);
  const has_account = read.together(['LIVEKIT_SIP_USERNAME', 'LIVEKIT_SIP_PASSWORD']);
  if (id && has_address) read.refuse('Set either LIVEKIT_SIP_TRUNK_ID or LIVEKIT_SIP_OUTBOUND_ADDRESS, not both.');
  if (id) return { id };
  if (!has_address) return undefined;
  const numbers = read
    .need('LIVEKIT_SIP_NUMBERS')
    .split(',')
    .map((one) => one.trim());
  const wrong = numbers.find((one) => !e164.test(one));
  if (wrong !== undefined) read.refuse(`LIVEKIT_SIP_NUMBERS must be numbers in E.164, but one is "${wrong}".`);
  const account = { username: read.need('LIVEKIT_SIP_USERNAME'), password: read.need('LIVEKIT_SIP_PASSWORD') };
  return { address: read.need('LIVEKIT_SIP_OUTBOUND_ADDRESS'), numbers, ...(has_account ? account : {}) };
}
