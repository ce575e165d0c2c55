import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PushService } from '../engines/ports.ts';
import { createOutboxSink } from '../engines/outbox-sink/memory.ts';
import { generateVapidKeys } from '../engines/push/web.ts';
import { createSubscription } from '../testing/steps/devices.ts';
import { push_message } from '../testing/contracts/push.contract.ts';
import { readConfig } from './config/config.ts';
import { limitUnknownHosts, openPush } from './push.ts';

describe('openPush', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-push-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const outbox_sink = createOutboxSink({ now: () => new Date(0) });
  const open = (environment: Record<string, string>) =>
    openPush(readConfig({ DATA_DIR: folder, ...environment }, folder), outbox_sink);
  const { subscription } = createSubscription('https://push.example.org/x');
  const browser = { platform: 'web', subscription } as const;

  it('sends all pushes to the console where there is one', async () => {
    const push = await open({});
    expect(push.platforms).toEqual(['ios', 'android', 'web']);
    expect(await push.send(browser, push_message)).toBe('sent');
    expect(outbox_sink.list({ channel: 'push', limit: 9, offset: 0 }).items).toHaveLength(1);
    await push.close();
  });

  it('creates a VAPID key once, in a file that only its owner can read', async () => {
    const keys = [];
    for (let at = 0; at < 2; at++) {
      const push = await open({ NODE_ENV: 'production' });
      expect(push.platforms).toEqual(['web']);
      expect(await push.send({ platform: 'ios', token: 'phone' }, push_message)).toBe('gone');
      keys.push(push.vapid_public_key);
      await push.close();
    }
    const file = join(folder, 'keys', 'vapid.json');
    expect(keys).toEqual(Array(2).fill(JSON.parse(readFileSync(file, 'utf8')).public_key));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('uses the configured VAPID keys, and rejects private addresses', async () => {
    const { public_key, private_key } = generateVapidKeys();
    const push = await open({ VAPID_PUBLIC_KEY: public_key, VAPID_PRIVATE_KEY: private_key });
    expect([push.vapid_public_key, push.platforms]).toEqual([public_key, ['ios', 'android', 'web']]);
    expect([push.isAllowed(subscription.endpoint), push.isAllowed('https://127.0.0.1/x')]).toEqual([true, false]);
    const inside = { ...subscription, endpoint: 'https://192.168.1.1/x' };
    expect(await push.send({ platform: 'web', subscription: inside }, push_message)).toBe('gone');
    await push.close();
  });

  it('reads the configuration of APNs and FCM, and names invalid variables', async () => {
    const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const write = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const account = { project_id: 'p', client_email: 'e@p', private_key: 'k', token_uri: 'https://example.org/token' };
    const fcm = { FCM_SERVICE_ACCOUNT: write('account.json', JSON.stringify({ ...account, type: 'service_account' })) };
    const apns = {
      APNS_KEY_FILE: write('key.p8', pem.toString()),
      APNS_KEY_ID: 'K',
      APNS_TEAM_ID: 'T',
      APNS_TOPIC: 'org.app',
    };
    const config = readConfig({ DATA_DIR: folder, ...fcm, ...apns, APNS_SANDBOX: 'on' }, folder);
    expect(config.fcm).toEqual(account);
    expect(config.apns).toMatchObject({
      key_id: 'K',
      topic: 'org.app',
      base_url: 'https://api.sandbox.push.apple.com',
    });
    const push = await open({ ...fcm, ...apns, NODE_ENV: 'production' });
    expect(push.platforms).toEqual(['ios', 'android', 'web']);
    await push.close();
    const refusals: [Record<string, string>, string][] = [
      [{ VAPID_PUBLIC_KEY: 'x' }, 'VAPID_PRIVATE_KEY must be set too, since VAPID_PUBLIC_KEY is.'],
      [{ VAPID_PUBLIC_KEY: 'x', VAPID_PRIVATE_KEY: 'y' }, 'VAPID_PUBLIC_KEY must be 65 bytes as base64url.'],
      [{ VAPID_SUBJECT: 'somebody' }, 'VAPID_SUBJECT must begin with mailto: or https://, but is "somebody".'],
      [{ APNS_TOPIC: 'x' }, 'APNS_KEY_FILE and APNS_KEY_ID and APNS_TEAM_ID must be set too, since APNS_TOPIC is.'],
      [{ ...apns, APNS_KEY_FILE: fcm.FCM_SERVICE_ACCOUNT }, 'APNS_KEY_FILE must hold a private key as PEM.'],
      [
        { FCM_SERVICE_ACCOUNT: apns.APNS_KEY_FILE },
        'FCM_SERVICE_ACCOUNT must name the JSON file of a service account.',
      ],
      [{ FFMPEG: 'ffmpeg' }, 'FFMPEG must be off or the absolute path of the program, but is "ffmpeg".'],
    ];
    for (const [environment, sentence] of refusals)
      expect(() => readConfig({ DATA_DIR: folder, ...environment }, folder)).toThrow(sentence);
    expect(() => readConfig({ FCM_SERVICE_ACCOUNT: '/absent' }, folder)).toThrow(
      /^FCM_SERVICE_ACCOUNT must be the path/,
    );
  });
});

describe('limitUnknownHosts', () => {
  /** A push service that answers when it is told to. */
  function createSilentService() {
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    const service: PushService = {
      send(target) {
        begun.push(target.platform === 'web' ? target.subscription.endpoint : target.token);
        return new Promise((resolve) => answers.push(() => resolve('sent')));
      },
      close: () => Promise.resolve(),
    };
    return { service, begun, answerAll: () => answers.splice(0).forEach((answer) => answer()) };
  }
  const browserAt = (endpoint: string) =>
    ({ platform: 'web', subscription: createSubscription(endpoint).subscription }) as const;

  it('lets hosts that do not answer occupy a few places only, regardless of their owners', async () => {
    const { service, begun, answerAll } = createSilentService();
    const bounded = limitUnknownHosts(service);
    const sent = Array.from({ length: 40 }, (_, at) =>
      bounded.send(browserAt(`https://host-${at}.example.org/`), { ...push_message, to: `account-${at % 20}` }),
    );
    const outcomes = Promise.allSettled(sent);
    expect(begun).toHaveLength(4);
    const known = [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
      'https://web.push.apple.com/x',
      'https://wns2-par02p.notify.windows.com/w/?token=x',
    ];
    const to_known = known.map((endpoint) => bounded.send(browserAt(endpoint), push_message));
    const to_phone = bounded.send({ platform: 'ios', token: 'phone' }, push_message);
    expect(begun.slice(4)).toEqual([...known, 'phone']);
    answerAll();
    expect(await Promise.all([...to_known, to_phone])).toEqual(Array(5).fill('sent'));
    answerAll();
    const count = (status: string) => outcomes.then((all) => all.filter((one) => one.status === status).length);
    expect([await count('fulfilled'), await count('rejected')]).toEqual([8, 32]);
  });

  it('recognizes a known host by its whole name', async () => {
    const { service, begun } = createSilentService();
    const bounded = limitUnknownHosts(service);
    const names = ['fcm.googleapis.com.example.org', 'evilpush.apple.com.example.org', 'xfcm.googleapis.com'];
    const sent = names.map((name) => bounded.send(browserAt(`https://${name}/`), push_message));
    expect(begun).toHaveLength(2);
    expect(sent).toHaveLength(3);
  });
});
