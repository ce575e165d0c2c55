import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { push_message, ring_message, silent_message, testPushProvider } from '../../testing/contracts/push.contract.ts';
import { readJwt, startFcm } from '../../testing/providers/push-services.ts';
import type { PushService } from '../ports.ts';
import { createFcmPush } from './fcm.ts';

const refuse = (status: string, details: object[]) => ({ error: { status, details } });

describe('FCM', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let google: Awaited<ReturnType<typeof startFcm>>;
  let service: PushService;
  /** The same with a short time limit. */
  let with_short_timeout: PushService;
  beforeAll(async () => {
    google = await startFcm({
      gone: { status: 404, body: refuse('NOT_FOUND', [{ errorCode: 'UNREGISTERED' }]) },
      stranger: { status: 403, body: refuse('PERMISSION_DENIED', [{ errorCode: 'SENDER_ID_MISMATCH' }]) },
      odd: {
        status: 400,
        body: refuse('INVALID_ARGUMENT', [{ fieldViolations: [{ field: 'message.token' }] }]),
      },
      large: { status: 400, body: refuse('INVALID_ARGUMENT', [{ fieldViolations: [{ field: 'message.data' }] }]) },
      failing: { status: 503, body: refuse('UNAVAILABLE', []) },
      silent: { status: 0 },
    });
    const account = {
      project_id: 'a-project',
      client_email: 'push@example.org',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      token_uri: `${google.url}/token`,
    };
    service = createFcmPush({ account, base_url: google.url });
    with_short_timeout = createFcmPush({ account, base_url: google.url, timeout_ms: 100 });
  });
  afterAll(() => google.close());

  const target = (token: string) => ({ platform: 'android', token }) as const;
  testPushProvider(() => ({ service, with_short_timeout, target }));

  const send = async (token: string, message = push_message) => {
    const sent = await service.send(target(token), message);
    return { sent, ...google.requests.at(-1)?.body.message } as Record<string, unknown>;
  };

  it('requests an access token with a signed assertion, and another after it has expired', async () => {
    await send('known');
    const before = google.assertions.length;
    const { head, claims } = readJwt(
      google.assertions.at(-1) ?? '',
      'RS256',
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    );
    expect(head.alg).toBe('RS256');
    expect(claims).toMatchObject({
      iss: 'push@example.org',
      aud: `${google.url}/token`,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    });
    expect(claims.exp - claims.iat).toBe(600);
    await send('known');
    expect(google.assertions).toHaveLength(before);
    google.expire();
    await expect(service.send(target('known'), push_message)).rejects.toThrow('401');
    expect((await send('known'))['sent']).toBe('sent');
    expect(google.assertions).toHaveLength(before + 1);
  });

  it('sends the payload of the FCM API', async () => {
    const message = await send('known');
    expect(google.requests.at(-1)?.path).toBe('/v1/projects/a-project/messages:send');
    expect(message).toMatchObject({
      notification: { title: 'Bob', body: 'Bob mentioned you' },
      data: { ...push_message.data, id: 'out_1' },
      android: { priority: 'normal', ttl: '86400s', collapse_key: 'a-topic', notification: { tag: 'a-topic' } },
    });
    const ring = await send('known', ring_message);
    expect(ring['notification']).toBeUndefined();
    expect(ring).toMatchObject({ data: { text: 'Bob mentioned you' }, android: { priority: 'high', ttl: '40s' } });
    expect(JSON.stringify(await send('known', silent_message))).not.toMatch(/title|text|notification"/);
  });

  it('reports devices of other senders and invalid tokens as gone, but rejects for an invalid message', async () => {
    expect([(await send('stranger'))['sent'], (await send('odd'))['sent']]).toEqual(['gone', 'gone']);
    await expect(service.send(target('large'), push_message)).rejects.toThrow('400 INVALID_ARGUMENT');
  });
});
