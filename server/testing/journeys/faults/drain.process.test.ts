/** SIGTERM under load: pending requests are answered, clients are told to reconnect, and no reply is cut. */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket, openSse } from '../../running/realtime-receivers.ts';
import { requestAs, requestStreamGrant, password, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

describe('a service that receives SIGTERM', () => {
  let service: Service;
  let ada: RunningPerson;
  beforeAll(async () => {
    service = await startService({ is_program: true });
    ada = await signUp(service, 'ada', '+14155550101');
  });
  afterAll(() => service.close());

  /** One request over a connection of `agent`; rejects with the error of node:http. */
  function send(agent: Agent, route: string, body?: object): Promise<Answer> {
    const [method = 'GET', path = '/'] = route.split(' ');
    const headers = {
      authorization: `Bearer ${ada.token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const sent = httpRequest(`${service.url.replace('localhost', '127.0.0.1')}${path}`, { agent, method, headers });
      sent.once('error', reject);
      sent.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('error', reject);
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.end(body && JSON.stringify(body));
    });
  }

  /** Sends requests over so many connections that stay open, until the service accepts no more. */
  function load(connections: number, kept_alive: boolean) {
    const results = { answered: 0, created: 0, last_answers: 0, cut: [] as string[] };
    const agent = new Agent({ keepAlive: kept_alive, maxSockets: connections });
    const workers = Array.from({ length: connections }, async (_, worker) => {
      for (let count = 0; ; count++) {
        const is_write = (worker + count) % 3 === 0;
        try {
          const { status, headers } = await (is_write
            ? send(agent, 'POST /v1/contacts', { name: `Contact ${worker}.${count}` })
            : send(agent, 'GET /v1/me'));
          // A refusal under load is a reply too, which may occur on a shared machine.
          expect([is_write ? 201 : 200, 503]).toContain(status);
          results.answered += 1;
          if (status === 201) results.created += 1;
          if (kept_alive && headers.connection === 'close') results.last_answers += 1;
        } catch (error) {
          const { code = '' } = error as { code?: string };
          // Nothing accepts connections: this request was not started.
          if (code === 'ECONNREFUSED') return;
          results.cut.push(String(error));
          if (results.cut.length > 50) return;
        }
      }
    });
    const stopped = Promise.all(workers).finally(() => agent.destroy());
    return { results, stopped };
  }

  async function stop(): Promise<number | null> {
    const ended = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  }

  const countContacts = async () => {
    let count = 0;
    for (let page; !page || page.has_more; count += page.items.length)
      page = await requestAs(service, ada, `GET /contacts?limit=100&offset=${count}`);
    return count;
  };

  it('answers over a thousand requests on open connections without cutting one, and stores what it confirmed', async () => {
    const { results, stopped } = load(32, true);
    await poll(async () => results.answered > 1_000, 'a thousand answers');
    const code = await stop();
    await stopped;
    expect(results.cut).toEqual([]);
    // Each connection ended with a reply with `connection: close`.
    expect(results.last_answers).toBeGreaterThanOrEqual(30);
    expect(code).toBe(0);
    await service.killAndRestart();
    expect(await countContacts()).toBe(results.created);
  });

  it('completes slow requests, and closes streams with code 1012 or a retry hint', async () => {
    const agent = new Agent({ keepAlive: true });
    const socket = await openSocket(await requestStreamGrant(service, ada.token));
    const stream = await openSse(`${service.url}/v1/realtime/stream`, ada.token);
    // Password hashes, two at a time: as many as one network may have also on a slow machine.
    const count = 10;
    let answered = 0;
    const slow = Array.from({ length: count }, async () => {
      const answer = await send(agent, 'POST /v1/auth/login', { username: 'ada', password });
      answered += 1;
      return answer;
    });
    await Promise.race(slow);
    expect(answered).toBeLessThan(count);
    const code = stop();
    const answers = await Promise.all(slow);
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200));
    expect((await socket.closed).code).toBe(1012);
    await stream.closed;
    expect(stream.received.at(-1)).toMatch(/^retry: \d+\n\n$/);
    expect(await code).toBe(0);
    agent.destroy();
    await service.killAndRestart();
  });

  it('reports not ready first, and ends at once at a second signal', async () => {
    const agent = new Agent({ keepAlive: false });
    const readiness = async () =>
      send(agent, 'GET /health/ready').then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      );
    expect(await readiness()).toBe(200);
    // An unfinished request delays the stop.
    const unfinished = new Agent({ keepAlive: true });
    const sent = httpRequest(`${service.url.replace('localhost', '127.0.0.1')}/v1/contacts`, {
      agent: unfinished,
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', 'content-length': '1000' },
    });
    sent.on('error', () => undefined);
    sent.write('{');
    await once(sent, 'socket');
    const ended = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    // New connections are accepted until the not-ready state was visible.
    const seen = new Set<number | string>();
    await poll(async () => seen.add(await readiness()).has('ECONNREFUSED'), 'no more connections');
    expect(seen).toContain(503);
    expect(service.process.exitCode).toBe(null);
    // Signals within half a second of the first count as one; a later one ends the process.
    await poll(async () => !service.process.kill('SIGTERM') || service.process.exitCode !== null, 'the end');
    expect(await ended).toEqual([1, null]);
    unfinished.destroy();
    await service.killAndRestart();
  });
});
