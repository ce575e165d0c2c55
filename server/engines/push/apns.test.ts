import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { test_certificate } from '../../testing/providers/certificate.ts';
import { push_message, ring_message, silent_message, testPushProvider } from '../../testing/contracts/push.contract.ts';
import { readJwt, startApns } from '../../testing/providers/push-services.ts';
import type { PushService } from '../ports.ts';
import { createApnsPush } from './apns.ts';

describe('APNs', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  let apple: Awaited<ReturnType<typeof startApns>>;
  let service: PushService;
  /** The same with a short time limit. */
  let with_short_timeout: PushService;
  beforeAll(async () => {
    apple = await startApns({
      gone: { status: 410, body: { reason: 'Unregistered', timestamp: 1 } },
      odd: { status: 400, body: { reason: 'BadDeviceToken' } },
      failing: { status: 503, body: { reason: 'ServiceUnavailable' } },
      silent: { status: 0 },
      late: { status: 403, body: { reason: 'ExpiredProviderToken' } },
    });
    const base_url = apple.url;
    const options = {
      team_id: 'TEAM',
      key_id: 'KEY',
      private_key,
      topic: 'org.app',
      base_url,
      ca: test_certificate,
    };
    service = createApnsPush(options);
    with_short_timeout = createApnsPush({ ...options, timeout_ms: 100 });
  });
  afterAll(async () => {
    await service.close();
    await apple.close();
  });

  const target = (token: string) => ({ platform: 'ios', token }) as const;
  testPushProvider(() => ({ service, with_short_timeout, target }));

  const send = async (token: string, message = push_message) => {
    const sent = await service.send(target(token), message);
    const apple_request = apple.requests.at(-1);
    return {
      sent,
      headers: apple_request?.headers ?? {},
      path: apple_request?.path,
      body: JSON.parse(String(apple_request?.body)),
    };
  };

  it('sends the headers and payload of the APNs API, with a provider token of the team', async () => {
    const { headers, path, body } = await send('a1b2');
    expect([headers[':method'], path]).toEqual(['POST', '/3/device/a1b2']);
    expect(headers).toMatchObject({
      'apns-topic': 'org.app',
      'apns-push-type': 'alert',
      'apns-priority': '5',
      'apns-collapse-id': 'a-topic',
    });
    const left_s = Number(headers['apns-expiration']) - Date.now() / 1000;
    expect(Math.abs(left_s - 86_400)).toBeLessThan(5);
    const { head, claims } = readJwt(
      String(headers.authorization).replace('bearer ', ''),
      'ES256',
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    );
    expect([head.kid, claims.iss, Math.abs(claims.iat - Date.now() / 1000) < 60]).toEqual(['KEY', 'TEAM', true]);
    expect(body).toMatchObject({
      aps: { alert: { title: 'Bob', body: 'Bob mentioned you' } },
      id: 'out_1',
      ...push_message.data,
    });
  });

  it('sends a ring as time-sensitive, and a localisation key when there is no text', async () => {
    const ring = await send('a1b2', ring_message);
    expect([ring.headers['apns-priority'], ring.body.aps['interruption-level']]).toEqual(['10', 'time-sensitive']);
    const { body } = await send('a1b2', silent_message);
    expect(body.aps.alert).toEqual({ 'loc-key': 'push.quiet' });
    const quiet = await send('a1b2', { ...ring_message, quiet: true });
    expect([quiet.body.aps['interruption-level'], quiet.body.aps.sound]).toEqual(['passive', undefined]);
  });

  it('sends a ring by PushKit when the device has a VoIP token, and its end as an alert', async () => {
    const ring = async (voip_token: string, message = ring_message) => {
      const from = apple.requests.length;
      const sent = await service.send({ platform: 'ios', token: 'a1b2', voip_token }, message);
      const pushes = apple.requests
        .slice(from)
        .map(({ path, headers }) => [path, headers['apns-topic'], headers['apns-push-type']]);
      return { sent, pushes };
    };
    const voip = (token: string) => [`/3/device/${token}`, 'org.app.voip', 'voip'];
    const alert = ['/3/device/a1b2', 'org.app', 'alert'];
    expect(await ring('c3d4')).toEqual({ sent: 'sent', pushes: [voip('c3d4')] });
    expect(apple.requests.at(-1)?.headers['apns-collapse-id']).toBeUndefined();
    expect(await ring('c3d4', { ...ring_message, quiet: true })).toEqual({ sent: 'sent', pushes: [alert] });
    expect(await ring('c3d4', push_message)).toEqual({ sent: 'sent', pushes: [alert] });
    // An expired VoIP token leaves the device reachable by the other token.
    expect(await ring('gone')).toEqual({ sent: 'sent', pushes: [voip('gone'), alert] });
  });

  it('reports an invalid device token as gone, and renews an expired provider token', async () => {
    expect((await send('odd')).sent).toBe('gone');
    const before = (await send('a1b2')).headers.authorization;
    await expect(service.send(target('late'), push_message)).rejects.toThrow('403 ExpiredProviderToken');
    expect((await send('a1b2')).headers.authorization).not.toBe(before);
  });

  it('reuses one connection, and opens another when it has ended', async () => {
    await send('a1b2');
    const before = apple.sessions();
    await Promise.all([send('a1b2'), send('a1b2')]);
    expect(apple.sessions()).toBe(before);
    apple.drop();
    await expect.poll(() => service.send(target('a1b2'), push_message).catch(() => 'lost')).toBe('sent');
    expect(apple.sessions()).toBe(before + 1);
  });

  it('trusts only the given certificate authority', async () => {
    const strict = createApnsPush({
      team_id: 'TEAM',
      key_id: 'KEY',
      private_key,
      topic: 'org.app',
      base_url: apple.url,
    });
    await expect(strict.send(target('a1b2'), push_message)).rejects.toThrow('APNs could not be reached');
    await strict.close();
  });
});
