/** Two nodes on one PostgreSQL and one Redis: changes on one take effect on the other. */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RealtimeStream } from '../../../../sdk/index.ts';
import {
  collectDirectMessages,
  password,
  openAcceptedThread,
  requestStreamGrant,
  signUp,
  type RunningPerson,
} from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';
import { startTcpProxy, type TcpProxy } from '../../running/tcp-proxy.ts';
import { databaseUrl } from '../../world/template.ts';
import { openSocket, openSse } from '../../running/realtime-receivers.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const redis_url = process.env['REDIS_TEST_URL'] ?? '';
const database_url = process.env['DATABASE_TEST_URL'] ?? '';
const crash_events = 1000;

describeUnlessMissing(
  redis_url && database_url ? undefined : 'REDIS_TEST_URL and DATABASE_TEST_URL',
  'two nodes',
  () => {
    const database = `nodes_${randomUUID().replaceAll('-', '')}`;
    let admin: pg.Client;
    let redis_proxy: TcpProxy;
    let a: Service;
    let b: Service;
    let ada: RunningPerson;
    let ben: RunningPerson;
    // A chat of two people, which unlike that of a call does not end when nobody is connected to a media server.
    let thread_id = '';

    beforeAll(async () => {
      admin = new pg.Client({ connectionString: database_url });
      await admin.connect();
      await admin.query(`create database ${database} encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`);
      redis_proxy = await startTcpProxy(Number(new URL(redis_url).port));
      const shared = {
        DATABASE_URL: databaseUrl(database_url, database),
        SERVICE_KEY: randomBytes(24).toString('hex'),
      };
      a = await startService({ is_program: true, environment: { ...shared, REDIS_URL: redis_url } });
      b = await startService({
        is_program: true,
        environment: { ...shared, REDIS_URL: `redis://127.0.0.1:${redis_proxy.port}` },
      });
      ada = await signUp({ ...a, codeFor }, 'ada', '+14155550101');
      ben = await signUp({ ...a, codeFor }, 'ben', '+14155550102');
      thread_id = await openAcceptedThread(a, ada, ben);
    });
    afterAll(async () => {
      await Promise.all([a?.close(), b?.close()]);
      await redis_proxy?.close();
      await admin?.query(`drop database ${database} with (force)`);
      await admin?.end();
    });

    /** A message is sent by the node that ran its job, so both are queried for a new one. */
    const seen_ids = new Set<string>();
    const codeFor = (to: string) =>
      poll(async () => {
        for (const { url } of [a, b]) {
          const response = await fetch(`${url}/console/outbox?to=${encodeURIComponent(to)}`);
          const { items } = (await response.json()) as { items: { id: string; code?: string }[] };
          const new_item = items.find(({ id }) => !seen_ids.has(id));
          for (const { id } of items) seen_ids.add(id);
          if (new_item?.code) return new_item.code;
        }
        return undefined;
      }, `a code for ${to}`);

    /** Signs ben in again at `node`. */
    async function signInAgain(node: Service): Promise<{ token: string; session_id: string }> {
      const login_start = await node.call('POST /auth/login', { body: { username: 'ben', password } });
      expect(login_start.body.status).toBe('otp_required');
      const code = await codeFor('ben@example.org');
      const { status, body } = await node.call('POST /auth/login/verify', {
        body: { login_id: login_start.body.login_id, code },
      });
      expect(status).toBe(200);
      return body;
    }

    const post = (node: Service, body: string, token = ada.token) =>
      node.call(`POST /dm/threads/${thread_id}/chat`, { token, body: { body }, headers: { 'idempotency-key': body } });

    /** Repeats a message while an earlier request with its key is in progress, as clients do; the database ends that of a killed node a moment later. */
    const postOnce = (node: Service, body: string) =>
      poll(async () => {
        const { status, body: answer } = await post(node, body);
        return answer.error?.code === 'request_in_progress' ? undefined : [status, answer.error];
      });

    it('a session revoked on one ends requests and open streams on the other within a second', async () => {
      const { token, session_id } = await signInAgain(a);
      // The session is in the other node's cache before it ends.
      for (let count = 0; count < 3; count++) expect((await b.call('GET /me', { token })).status).toBe(200);
      const socket = await openSocket(await requestStreamGrant(b, token));
      const sse = await openSse(`${b.url}/v1/realtime/stream`, token);
      const started_ms = performance.now();
      const revoked = await a.call(`DELETE /auth/sessions/${session_id}`, { token: ben.token });
      expect(revoked.status).toBe(204);
      await poll(async () => (await b.call('GET /me', { token })).status === 401, 'the rejection');
      const refused_ms = performance.now() - started_ms;
      const ends = await Promise.all([socket.closed, sse.closed]);
      expect(refused_ms).toBeLessThan(1000);
      expect(ends[0].code).toBe(4001);
      for (const { at_ms } of ends) expect(at_ms - started_ms).toBeLessThan(1000);
    });

    it('messages sent on one reach a socket of the other once and in order', async () => {
      const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(b, ben.token) });
      const received = collectDirectMessages(stream);
      await poll(async () => stream.state === 'open', 'the stream');
      const texts = Array.from({ length: 200 }, (_, at) => `fan-out ${at}`);
      for (const text of texts) expect((await post(a, text)).status).toBe(201);
      await poll(async () => received.length >= texts.length, 'all messages');
      expect(received).toEqual(texts);
      stream.close();
    });

    it('typing on one reaches a socket of the other every time, although it is not stored', async () => {
      const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(b, ben.token) });
      const typists: (string | undefined)[] = [];
      stream.on('dm.typing', ({ data }) => typists.push(data.user?.username));
      await poll(async () => stream.state === 'open', 'the stream');
      for (let count = 1; count <= 3; count++) {
        const typed = await a.call(`POST /dm/threads/${thread_id}/typing`, { token: ada.token, body: {} });
        expect(typed.status).toBe(204);
        await poll(async () => typists.length === count, 'a typing event');
      }
      expect(typists).toEqual(['ada', 'ada', 'ada']);
      stream.close();
    });

    it('a follow on one delivers posts, edits, deletions and presence on the other from then on', async () => {
      const tag = (await a.call('POST /xtags', { token: ada.token, body: { name: 'adas' } })).body;
      const ben_tag = (await a.call('POST /xtags', { token: ben.token, body: { name: 'bens' } })).body;
      await a.call(`PUT /xtags/${ben_tag.id}/follow`, { token: ada.token, body: {} });
      const publish = (body: string) => a.call('POST /statuses', { token: ada.token, body: { body, tag_id: tag.id } });
      const collect = (stream: RealtimeStream) => {
        const received: string[] = [];
        const note = (type: string, text: string) => received.push(`${type} ${text}`);
        stream.on('status.posted', ({ data }) => note('posted', data.status.body));
        stream.on('status.updated', ({ data }) => note('updated', data.status.body));
        stream.on('status.deleted', () => note('deleted', ''));
        stream.on('presence.updated', ({ data }) => note(data.online ? 'here' : 'gone', data.user.username));
        return received;
      };
      const at_a = new RealtimeStream({ createGrant: () => requestStreamGrant(a, ada.token) });
      const at_b = new RealtimeStream({ createGrant: () => requestStreamGrant(b, ben.token) });
      const [ada_events, ben_events] = [collect(at_a), collect(at_b)];
      await poll(async () => at_a.state === 'open' && at_b.state === 'open', 'both streams');
      await publish('before the follow');
      await b.call(`PUT /xtags/${tag.id}/follow`, { token: ben.token, body: {} });
      const { id } = (await publish('heard')).body;
      await a.call(`PATCH /statuses/${id}`, { token: ada.token, body: { body: 'mended' } });
      await a.call(`DELETE /statuses/${id}`, { token: ada.token });
      await b.call(`DELETE /xtags/${tag.id}/follow`, { token: ben.token });
      await publish('after the follow');
      await b.call(`PUT /xtags/${tag.id}/follow`, { token: ben.token, body: {} });
      await publish('heard again');
      await poll(async () => ben_events.includes('posted heard again'), 'the last status');
      expect(ben_events.filter((entry) => !entry.startsWith('here'))).toEqual([
        'posted heard',
        'updated mended',
        'deleted ',
        'posted heard again',
      ]);
      at_b.close();
      const back = new RealtimeStream({ createGrant: () => requestStreamGrant(b, ben.token) });
      await poll(async () => back.state === 'open', 'the stream that came back');
      // Ben was disconnected for less than the grace period: his followers were notified at most that he came online.
      expect(ada_events.filter((entry) => entry.startsWith('gone'))).toEqual([]);
      const { body } = await a.call('GET /presence', { token: ada.token });
      expect(body.items.map(({ user }: { user: { username: string } }) => user.username)).toEqual(['ben']);
      for (const stream of [at_a, back]) stream.close();
    });

    it('rate budgets are shared by both', async () => {
      const remaining = async (node: Service) => {
        const { headers } = await node.call('GET /me', { token: ada.token });
        return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      };
      // Four requests are in one window unless it ends between them: then the next four are.
      await poll(async () => {
        const counts = [await remaining(a), await remaining(b), await remaining(a), await remaining(b)];
        const [first = 0] = counts;
        return counts.every((count, at) => count === first - at);
      }, 'a shared count');
    });

    it('a node without Redis verifies each session in the database, rejects sign-in with 503 and accepts messages', async () => {
      const sessions = [];
      for (let at = 0; at < 5; at++) sessions.push(await signInAgain(a));
      for (const { token } of sessions) expect((await b.call('GET /me', { token })).status).toBe(200);
      redis_proxy.cut();
      const isReady = async () => (await fetch(`${b.url}/health/ready`)).status === 200;
      await poll(async () => !(await isReady()), 'the loss of Redis');
      for (const { token, session_id } of sessions) {
        expect((await b.call('GET /me', { token })).status).toBe(200);
        expect((await a.call(`DELETE /auth/sessions/${session_id}`, { token: ben.token })).status).toBe(204);
        // The very next request is rejected, not only one within a second.
        expect((await b.call('GET /me', { token })).status).toBe(401);
      }
      const login = await b.call('POST /auth/login', { body: { username: 'ben', password } });
      expect([login.status, login.body.error.code]).toEqual([503, 'unavailable']);
      expect(Number(login.headers.get('retry-after'))).toBeGreaterThan(0);
      const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(a, ben.token) });
      const received = collectDirectMessages(stream);
      await poll(async () => stream.state === 'open', 'the stream');
      expect((await post(b, 'without Redis')).status).toBe(201);
      await poll(async () => received.includes('without Redis'), 'the message at the other node');
      stream.close();
      redis_proxy.restore();
      await poll(isReady, 'the return of Redis');
      expect((await b.call('POST /auth/login', { body: { username: 'ben', password } })).status).toBe(200);
    });

    it('a client continues at the other node when one is killed during a thousand events, in order and without loss', async () => {
      const grants: string[] = [];
      const stream = new RealtimeStream({
        createGrant: async () => {
          const node = a.process.signalCode === null ? a : b;
          const grant = await requestStreamGrant(node, ben.token);
          grants.push(node === a ? 'a' : 'b');
          return grant;
        },
        backoff_ms: 20,
      });
      const resets: unknown[] = [];
      stream.onSignal('reset', (signal) => resets.push(signal));
      const received = collectDirectMessages(stream);
      await poll(async () => stream.state === 'open', 'the stream');
      const texts = Array.from({ length: crash_events }, (_, at) => `crash ${at}`);
      const killed_at = crash_events / 2;
      for (const [at, text] of texts.entries()) {
        // In flight on the killed node, so that it is unknown whether it was stored.
        const first = at === killed_at ? post(a, text) : undefined;
        if (first) {
          a.process.kill('SIGKILL');
          await first.catch(() => undefined);
          expect(await a.ended()).toBe('SIGKILL');
        }
        expect(await postOnce(at < killed_at && at % 2 === 0 ? a : b, text)).toEqual([201, undefined]);
      }
      await poll(async () => received.length >= texts.length, 'all events');
      expect(received).toEqual(texts);
      expect(grants).toEqual(['a', 'b']);
      expect(resets).toEqual([]);
      stream.close();
    });
  },
);
