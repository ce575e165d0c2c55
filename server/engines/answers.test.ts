import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { slow } from '../../testing/slow-tests.ts';
import { push_message } from '../testing/contracts/push.contract.ts';
import { startEndlessServer } from '../testing/providers/endless-server.ts';
import { default_limits } from '../kernel/load/limits.ts';
import { answer_limits } from './answers.ts';
import { openLiveKitClients } from './livekit-rpc.ts';
import { createStripePayment } from './payment/stripe.ts';
import { createApnsPush } from './push/apns.ts';
import { createFcmPush } from './push/fcm.ts';
import { createTwilioSms } from './sms/twilio.ts';
import { createOpenAiSpeech } from './speech/openai.ts';
import { openOtlpTracing } from './tracing/otlp.ts';
import { createTwilioTelephony } from './telephony/twilio.ts';

type Options = { base_url: string; timeout_ms: number };

const pem = (type: 'rsa' | 'ec') =>
  (type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  ).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
const rsa = pem('rsa');
const ec = pem('ec');
const livekit = (api_url: string) => ({ api_url, api_key: 'key', api_secret: 'a-secret-of-thirty-two-characters' });
const twilio = { account_sid: 'AC1', auth_token: 'token', from: '+14155550100' };

/** One request of each adapter to a provider, by its own protocol. */
const adapters: Record<string, (options: Options) => Promise<unknown>> = {
  'SMS of Twilio': (options) =>
    createTwilioSms({ ...twilio, ...options }).send({ id: 'msg_1', to: '+14155550101', text: 'Hello', links: [] }),
  'calls of Twilio': (options) =>
    createTwilioTelephony({
      ...twilio,
      ...options,
      public_url: 'https://asterism.test',
      phone_participants: {} as never,
    }).fetchLegState('leg_1', 'CA1'),
  'a speech server': ({ base_url, timeout_ms }) =>
    createOpenAiSpeech({ url: base_url, model: 'whisper', timeout_ms }).transcribe(Buffer.from('sound'), 'audio/wav'),
  'the tokens of FCM': ({ base_url, timeout_ms }) =>
    createFcmPush({
      account: { project_id: 'one', client_email: 'a@example.org', private_key: rsa, token_uri: `${base_url}/token` },
      base_url,
      timeout_ms,
    }).send({ platform: 'android', token: 'device' }, push_message),
  'the rooms of LiveKit': async ({ base_url, timeout_ms }) =>
    (await openLiveKitClients({ ...livekit(base_url), timeout_ms })).rooms.listRooms(),
  'the phones of LiveKit': async ({ base_url, timeout_ms }) =>
    (await openLiveKitClients({ ...livekit(base_url), timeout_ms })).sip.listSipOutboundTrunk(),
  Stripe: (options) =>
    createStripePayment({
      secret_key: 'sk_1',
      webhook_secret: 'whsec_1',
      price: 'price_1',
      now: () => new Date(),
      ...options,
    }).read({ subscription_id: 'sub_1' } as never),
  APNs: (options) =>
    createApnsPush({ team_id: 'TEAM', key_id: 'KEY', private_key: ec, topic: 'org.app', ...options }).send(
      { platform: 'ios', token: 'device' },
      push_message,
    ),
};

describe('an answer that does not end', () => {
  describe.each(Object.entries(adapters))('of %s', (name, ask) => {
    const http2 = name === 'APNs';

    it.each([200, 400])('is an error once it is too long, with status %i', slow, async (status) => {
      const provider = await startEndlessServer('flood', { status, http2 });
      onTestFinished(() => provider.close());
      await expect(ask({ base_url: provider.url, timeout_ms: 20_000 })).rejects.toThrow();
      // The limit, and what both ends of a connection buffer.
      expect(provider.longest()).toBeLessThan(16 * 1024 * 1024);
    });

    it('is an error at the time limit, when it arrives little by little', slow, async () => {
      const provider = await startEndlessServer('drip', { http2 });
      onTestFinished(() => provider.close());
      await expect(ask({ base_url: provider.url, timeout_ms: 300 })).rejects.toThrow();
      expect(provider.longest()).toBeGreaterThan(0);
    });
  });

  it('of a collector of traces is cut off', slow, async () => {
    const collector = await startEndlessServer('flood');
    onTestFinished(() => collector.close());
    const tracing = await openOtlpTracing({ endpoint: collector.url, service_name: 'asterism' });
    tracing.start('request', 'server', {}).end();
    await tracing.close();
    expect(collector.longest()).toBeGreaterThan(0);
    expect(collector.longest()).toBeLessThan(16 * 1024 * 1024);
  });

  it('is limited as the table of limits says', () => {
    expect(default_limits).toMatchObject(answer_limits);
  });

  it('can be read by no adapter otherwise', slow, () => {
    const server = join(import.meta.dirname, '..');
    const files = globSync('{app,domain,engines,features,kernel}/**/*.ts', { cwd: server }).filter(
      (file) => !file.endsWith('.test.ts') && file !== 'engines/answers.ts',
    );
    expect(files.length).toBeGreaterThan(500);
    // Requests by `fetch` and by Node's clients; the two here pass what they read to `answers.ts`.
    const asks = /\bfetch\(|\bfrom 'undici'|import \{[^}]*\b(?:request|get|connect)\b[^}]*\} from 'node:https?2?'/;
    const asking = files.filter((file) => asks.test(readFileSync(join(server, file), 'utf8')));
    expect(asking.toSorted()).toEqual(['engines/push/apns.ts', 'engines/push/web.ts']);
  });
});
