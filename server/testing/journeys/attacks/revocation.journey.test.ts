/**
 * Revocation ends open streams: a websocket and a server-sent stream close within a second, and the token is invalid
 * (M7).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket, openSse } from '../../running/realtime-receivers.ts';
import { requestStreamGrant, password, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

type Session = { token: string; session_id: string };

describe('revoking a session', () => {
  let service: Service;
  let ada: RunningPerson;
  beforeAll(async () => {
    service = await startService();
    ada = await signUp(service, 'ada', '+14155550101');
  });
  afterAll(() => service.close());

  async function signIn(username: string): Promise<Session> {
    const address = `${username}@example.org`;
    const previous = await service.codeFor(address);
    const { body } = await service.call('POST /auth/login', { body: { username, password } });
    const code = await poll(async () => {
      const newest = await service.codeFor(address);
      return newest !== previous && newest;
    }, 'a new code');
    const { body: session } = await service.call('POST /auth/login/verify', {
      body: { login_id: body.login_id, code },
    });
    return session;
  }

  const revocations: [string, (session: Session) => [string, object | undefined, string]][] = [
    ['signing out', ({ token }) => ['POST /auth/logout', {}, token]],
    ['ending it from another', ({ session_id }) => [`DELETE /auth/sessions/${session_id}`, undefined, ada.token]],
  ];

  it.each(revocations)(
    '%s closes its websocket with code 4001 and its stream within a second',
    async (_way, requestFor) => {
      const session = await signIn('ada');
      const { token } = session;
      const socket = await openSocket(await requestStreamGrant(service, token));
      const stream = await openSse(`${service.url}/v1/realtime/stream`, token);
      const other = await openSocket(await requestStreamGrant(service, ada.token));
      const late = await requestStreamGrant(service, token);
      const [route, body, token_of_caller] = requestFor(session);
      const started_ms = performance.now();
      expect((await service.call(route, { token: token_of_caller, body })).status).toBe(204);
      const refused = await service.call('GET /me', { token });
      expect([refused.status, refused.body.error.code]).toEqual([401, 'token_invalid']);
      const [socket_end, stream_end] = await Promise.all([socket.closed, stream.closed]);
      expect(socket_end.code).toBe(4001);
      expect(socket_end.at_ms - started_ms).toBeLessThan(1000);
      expect(stream_end.at_ms - started_ms).toBeLessThan(1000);
      expect(socket.received.at(-1)).toContain('"type":"session.revoked"');
      expect(stream.received.at(-1)).toContain('"type":"session.revoked"');
      // An earlier grant is invalid too, and the account's other session continues to receive events.
      await expect(openSocket(late)).rejects.toThrow('4003');
      await expect(openSse(`${service.url}/v1/realtime/stream`, token)).rejects.toThrow('401');
      expect(other.socket.readyState).toBe(other.socket.OPEN);
      other.close();
    },
  );

  it('ends all streams of an account at once', async () => {
    const bob = await signUp(service, 'bob', '+14155550102');
    const sessions = [await signIn('bob'), await signIn('bob'), bob];
    const receivers = [];
    for (const { token } of sessions) {
      receivers.push(await openSocket(await requestStreamGrant(service, token)));
      receivers.push(await openSse(`${service.url}/v1/realtime/stream`, token));
    }
    const started_ms = performance.now();
    expect((await service.call('DELETE /auth/sessions', { token: bob.token })).status).toBe(204);
    const ends = await Promise.all(receivers.map(({ closed }) => closed));
    for (const { at_ms } of ends) expect(at_ms - started_ms).toBeLessThan(1000);
    for (const { token } of sessions) expect((await service.call('GET /me', { token })).status).toBe(401);
  });
});
