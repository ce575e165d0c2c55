import { createHash } from 'node:crypto';
import { AccessToken, TokenVerifier } from 'livekit-server-sdk';
import { describe, expect, it } from 'vitest';
import { createLiveKitMedia } from './livekit.ts';

describe('createLiveKitMedia without a server', () => {
  const key = { api_key: 'key', api_secret: 'a-secret-of-thirty-two-characters' };
  const createMedia = () =>
    createLiveKitMedia({ api_url: 'http://127.0.0.1:1', client_url: 'ws://127.0.0.1:2', ...key });

  it('issues a grant for one room and identity with the given rights and expiry', async () => {
    const rights = { publish: true, subscribe: true, data: false, admin: false };
    const input = { room: 'conf_1', identity: 'usr_1', name: 'Ann', rights, ttl_s: 300 };
    const { url, token, expires_at } = await (await createMedia()).grant(input);
    const claims = await new TokenVerifier(key.api_key, key.api_secret).verify(token);
    expect(url).toBe('ws://127.0.0.1:2');
    expect(claims).toMatchObject({ sub: 'usr_1', name: 'Ann', video: { room: 'conf_1', roomJoin: true } });
    expect(claims.video).toMatchObject({
      canPublish: true,
      canSubscribe: true,
      canPublishData: false,
      roomAdmin: false,
    });
    expect(Math.abs(Number(claims.exp) * 1000 - expires_at.getTime())).toBeLessThan(2_000);
  });

  async function sign(body: string, secret: string): Promise<string> {
    const token = new AccessToken(key.api_key, secret);
    token.sha256 = createHash('sha256').update(body).digest('base64');
    return token.toJwt();
  }

  it('accepts only webhooks that are signed over their exact body', async () => {
    const media = await createMedia();
    const event = { id: 'EV_1', event: 'participant_joined', createdAt: '1750000000', room: { name: 'conf_1' } };
    const body = JSON.stringify({ ...event, participant: { identity: 'usr_1' } });
    const reported = { id: 'EV_1', kind: 'participant_joined', room: 'conf_1', identity: 'usr_1' };
    const signed = await sign(body, key.api_secret);
    expect(await media.receive(body, signed)).toEqual({ ...reported, at: new Date('2025-06-15T15:06:40Z') });
    const other = JSON.stringify({ ...event, event: 'track_published' });
    expect(await media.receive(other, await sign(other, key.api_secret))).toBeUndefined();
    await expect(media.receive(body, undefined)).rejects.toThrow();
    await expect(media.receive(`${body} `, signed)).rejects.toThrow();
    await expect(media.receive(body, await sign(body, 'another-secret-of-32-characters!!'))).rejects.toThrow();
  });

  it('reports phones with their SIP attributes, disconnect reason and assigned identity', async () => {
    const media = await createMedia();
    const receive = async (event: string, participant: object) => {
      const body = JSON.stringify({
        id: 'EV_1',
        event,
        createdAt: '1750000000',
        room: { name: 'conf_1' },
        participant,
      });
      const reported = await media.receive(body, await sign(body, key.api_secret));
      return [reported?.identity, reported?.attributes, reported?.reason];
    };
    const attributes = { 'sip.callID': 'SCL_1', 'asterism.identity': 'part_1' };
    expect(
      await receive('participant_left', { identity: 'sip_8f3a', attributes, disconnectReason: 'USER_REJECTED' }),
    ).toEqual(['part_1', { ...attributes, 'sip.identity': 'sip_8f3a' }, 'user_rejected']);
    expect(await receive('participant_joined', { identity: 'usr_1', attributes: { mood: 'good' } })).toEqual([
      'usr_1',
      undefined,
      undefined,
    ]);
  });
});
