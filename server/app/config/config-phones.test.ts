import { describe, expect, it } from 'vitest';
import { createFakePhoneParticipants } from '../../testing/providers/fake-phone-participants.ts';
import { createOutboxSink } from '../../engines/outbox-sink/memory.ts';
import { printHelp, readConfig } from './config.ts';
import { openTelephony, requireTelephony } from '../media/telephony.ts';

const livekit = {
  LIVEKIT_URL: 'http://127.0.0.1:1',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'a-secret-of-thirty-two-characters',
};
const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+15005550006' };
const voice = { ...twilio, TWILIO_VOICE_FROM: '+15005550006', PUBLIC_URL: 'https://asterism.test' };
const sip = {
  ...livekit,
  LIVEKIT_SIP_OUTBOUND_ADDRESS: 'sip.example.org',
  LIVEKIT_SIP_NUMBERS: '+15005550006, +15005550007',
};
const read = (environment: Record<string, string>) => readConfig({ DATA_DIR: '/nowhere', ...environment }, '/nowhere');
const open = (environment: Record<string, string>) =>
  openTelephony(
    read(environment),
    createOutboxSink({ now: () => new Date(0) }),
    createFakePhoneParticipants().phone_participants,
  );

describe('telephony configuration', () => {
  it('reads PHONE_COUNTRIES, and by default leaves out expensive countries', () => {
    expect(read({}).phone_countries.has('US')).toBe(true);
    expect(['CU', 'IO', 'AC', 'SO'].filter((country) => read({}).phone_countries.has(country))).toEqual([]);
    expect([...read({ PHONE_COUNTRIES: 'ch, at' }).phone_countries]).toEqual(['CH', 'AT']);
    expect(read({ PHONE_COUNTRIES: 'none' }).phone_countries.size).toBe(0);
    expect(() => read({ PHONE_COUNTRIES: 'US,Germany' })).toThrow('PHONE_COUNTRIES');
  });

  it('reads a SIP trunk id, or the address, numbers and credentials of a trunk', () => {
    expect(read({ ...livekit, LIVEKIT_SIP_TRUNK_ID: 'ST_1' }).sip).toEqual({ id: 'ST_1' });
    expect(read(sip).sip).toEqual({ address: 'sip.example.org', numbers: ['+15005550006', '+15005550007'] });
    const account = { LIVEKIT_SIP_USERNAME: 'u', LIVEKIT_SIP_PASSWORD: 'p' };
    expect(read({ ...sip, ...account }).sip).toMatchObject({ username: 'u', password: 'p' });
    expect(read({}).sip).toBeUndefined();
  });

  it.each([
    [{ LIVEKIT_SIP_TRUNK_ID: 'ST_1' }, 'LIVEKIT_URL must be set too, since LIVEKIT_SIP_… is.'],
    [
      { ...sip, LIVEKIT_SIP_TRUNK_ID: 'ST_1' },
      'Set either LIVEKIT_SIP_TRUNK_ID or LIVEKIT_SIP_OUTBOUND_ADDRESS, not both.',
    ],
    [{ ...sip, LIVEKIT_SIP_NUMBERS: '030 1' }, 'LIVEKIT_SIP_NUMBERS must be numbers in E.164, but one is "030 1".'],
    [{ ...sip, LIVEKIT_SIP_USERNAME: 'u' }, 'LIVEKIT_SIP_PASSWORD must be set too, since LIVEKIT_SIP_USERNAME is.'],
    [{ ...sip, ...voice }, 'Set either LIVEKIT_SIP_… or TWILIO_VOICE_FROM: one of them rings phones.'],
    [{ TWILIO_VOICE_FROM: '+15005550006' }, 'TWILIO_ACCOUNT_SID must be set too, since TWILIO_VOICE_FROM is.'],
    [
      { ...voice, PUBLIC_URL: 'http://asterism.test' },
      'PUBLIC_URL must begin with https:// for TWILIO_VOICE_FROM, since Twilio calls it.',
    ],
    [{ DIAL_IN_NUMBER: '911' }, 'DIAL_IN_NUMBER must be a number in E.164, such as +14155550123, but is "911".'],
  ])('rejects %j', (environment, sentence) => {
    expect(() => read(environment)).toThrow(sentence);
  });

  it('opens the simulator with a default number, or the configured carrier', async () => {
    const simulator = await open({});
    expect([simulator.dial_in_number, simulator.simulator !== undefined]).toEqual(['+14155550199', true]);
    expect((await open({ DIAL_IN_NUMBER: '+15005550006' })).dial_in_number).toBe('+15005550006');
    const by_twilio = await open(voice);
    expect([by_twilio.dial_in_number, by_twilio.simulator, typeof by_twilio.acceptAudio]).toEqual([
      undefined,
      undefined,
      'function',
    ]);
    const by_livekit = await open({ ...sip, DIAL_IN_NUMBER: '+15005550006' });
    expect([by_livekit.simulator, typeof by_livekit.dial_in_route?.open]).toEqual([undefined, 'function']);
  });

  it('throws when there is neither the console nor a carrier, and prints its variables in the help', () => {
    expect(() => requireTelephony(read({ CONSOLE: 'off' }))).toThrow('Set LIVEKIT_SIP_TRUNK_ID or TWILIO_VOICE_FROM');
    for (const environment of [{}, { ...voice, CONSOLE: 'off' }, { ...sip, CONSOLE: 'off' }])
      expect(() => requireTelephony(read(environment))).not.toThrow();
    expect(printHelp()).toContain('LIVEKIT_SIP_OUTBOUND_ADDRESS');
  });
});
