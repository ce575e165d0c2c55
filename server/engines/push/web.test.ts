import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutboundAgent, isOutboundUrl } from '../../kernel/security/outbound.ts';
import { test_certificate, test_key } from '../../testing/providers/certificate.ts';
import { push_message, ring_message, silent_message, testPushProvider } from '../../testing/contracts/push.contract.ts';
import { createSubscription } from '../../testing/steps/devices.ts';
import { decryptPush, readJwt, startBrowserService } from '../../testing/providers/push-services.ts';
import type { PushService } from '../ports.ts';
import { createWebPush, generateVapidKeys } from './web.ts';

describe('Web Push', () => {
  const vapid = generateVapidKeys();
  let browser: Awaited<ReturnType<typeof startBrowserService>>;
  let service: PushService;
  /** The same with a short time limit. */
  let with_short_timeout: PushService;
  beforeAll(async () => {
    browser = await startBrowserService({
      '/gone': { status: 410 },
      '/absent': { status: 404 },
      '/failing': { status: 503 },
      '/silent': { status: 0 },
      '/moved': { status: 302 },
    });
    const options = {
      ...vapid,
      subject: 'mailto:operator@example.org',
      agent: createOutboundAgent({ allow_loopback: true, ca: test_certificate }),
      isAllowed: (url: string) => isOutboundUrl(url, true),
    };
    service = createWebPush(options);
    with_short_timeout = createWebPush({ ...options, timeout_ms: 100 });
  });
  afterAll(async () => {
    await service.close();
    await browser.close();
  });

  const target = (path: string) => {
    const { subscription, keys, auth } = createSubscription(browser.url + path);
    return { target: { platform: 'web', subscription } as const, keys, auth };
  };
  testPushProvider(() => ({ service, with_short_timeout, target: (device) => target(`/${device}`).target }));

  it('is encrypted for the browser, and signed with the VAPID key', async () => {
    const { target: device, keys, auth } = target('/read');
    await service.send(device, push_message);
    const request = browser.requests.find(({ path }) => path === '/read');
    const body = request?.body ?? Buffer.alloc(0);
    expect(JSON.parse(decryptPush(body, keys, auth))).toEqual({
      ...push_message.data,
      id: 'out_1',
      title: 'Bob',
      text: 'Bob mentioned you',
    });
    expect(() => decryptPush(body, createSubscription('').keys, auth)).toThrow();
    expect(request?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'normal',
      topic: 'a-topic',
    });
    const [, token = '', public_key] = /^vapid t=([^,]+), k=(\S+)$/.exec(request?.headers.authorization ?? '') ?? [];
    expect(public_key).toBe(vapid.public_key);
    const { claims } = readJwt(token, 'ES256', Buffer.from(vapid.public_key, 'base64url'));
    expect(claims).toMatchObject({ aud: browser.url, sub: 'mailto:operator@example.org' });
    const left_s = claims.exp - Date.now() / 1000;
    expect([left_s > 0, left_s <= 86_400]).toEqual([true, true]);
  });

  it('sends a ring with high urgency, and no text in a silent message', async () => {
    const { target: device, keys, auth } = target('/words');
    await service.send(device, ring_message);
    await service.send(device, silent_message);
    const [ring, silent] = browser.requests.filter(({ path }) => path === '/words');
    expect(ring?.headers).toMatchObject({ ttl: '40', urgency: 'high' });
    const payload = JSON.parse(decryptPush(silent?.body ?? Buffer.alloc(0), keys, auth));
    expect(payload).toEqual({ ...silent_message.data, id: 'out_3' });
  });

  it('reports an absent subscription as gone, follows no redirect, and connects to no private address', async () => {
    expect(await service.send(target('/absent').target, push_message)).toBe('gone');
    await expect(service.send(target('/moved').target, push_message)).rejects.toThrow('answered 302');
    expect(browser.requests.map(({ path }) => path)).not.toContain('/elsewhere');
    const strict = createWebPush({
      ...vapid,
      subject: 'mailto:operator@example.org',
      agent: createOutboundAgent({ ca: test_certificate }),
      // Simulates a name that resolved to a public address when checked, and to a private one when connecting.
      isAllowed: () => true,
    });
    const before = browser.requests.length;
    expect(await strict.send(target('/inside').target, push_message)).toBe('gone');
    expect(browser.requests).toHaveLength(before);
    await strict.close();
  });

  it('reads a bounded part of an answer', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const part = Buffer.alloc(64 * 1024);
    const endless = createServer({ key: test_key, cert: test_certificate }, (_request, response) => {
      response.once('close', closed.resolve);
      const writeMore = () => {
        if (response.destroyed) return;
        written += part.length;
        response.write(part, () => setImmediate(writeMore));
      };
      response.writeHead(201);
      writeMore();
    });
    endless.listen(0);
    await once(endless, 'listening');
    const url = `https://localhost:${(endless.address() as AddressInfo).port}/x`;
    const { subscription } = createSubscription(url);
    expect(await service.send({ platform: 'web', subscription }, push_message)).toBe('sent');
    await closed.promise;
    expect(written).toBeLessThan(16 * 1024 * 1024);
    endless.close();
  });

  it('rejects when the push service cannot be reached', async () => {
    const unreachable = createSubscription('https://localhost:9/x').subscription;
    await expect(service.send({ platform: 'web', subscription: unreachable }, push_message)).rejects.toThrow(
      'could not be reached: ECONNREFUSED',
    );
  });
});
