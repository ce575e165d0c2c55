/**
 * Random faults of everything that the service depends on, while people use it: of connections, processes and the server
 * of the database, of the media server and the decoders. The service goes on by itself; nothing is lost, done twice or
 * left behind.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeStream } from '../../../../sdk/index.ts';
import { randomFrom, seedOf } from '../../../../testing/seed.ts';
import {
  collectDirectMessages,
  openAcceptedThread,
  requestAs,
  requestStreamGrant,
  signUp,
  uploadWav,
  type RunningPerson,
} from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

const { seed, label } = seedOf(20_261_130);
/** The number of faults; `FAULTS=120` is a long run. */
const faults = Number(process.env['FAULTS'] ?? 8);
/** A part of the names of faults: only those are used. */
const only = process.env['FAULT'] ?? '';
/** The maximum of requests answered between two faults. */
const pause = 150;
const writers = 4;
/** As many connections of clients may be open, more or less. */
const requests_at_once = 9;

type Reply = { status: number; body?: unknown };

describe(`a service whose dependencies fail at random (${label})`, () => {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  let thread_id = '';
  let media_url = '';
  let stream: RealtimeStream;
  let log = '';
  const random = randomFrom(seed);

  beforeAll(async () => {
    service = await startService({ is_program: true });
    service.process.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
    thread_id = await openAcceptedThread(service, ada, ben);
    const tag = await requestAs(service, ada, 'POST /xtags', { name: 'faults', title: 'Faults' });
    await requestAs(service, ben, `PUT /xtags/${tag.id}/follow`, {});
    // Each message causes a job.
    await requestAs(service, ben, 'POST /push-token', { platform: 'ios', token: 'b'.repeat(64) });
    const { join_code } = await requestAs(service, ada, 'POST /calls', { to: [] });
    const { url } = await requestAs(service, ada, `POST /calls/${join_code}/sfu-grant`, {});
    media_url = url.replace(/^ws/, 'http');
    stream = new RealtimeStream({ createGrant: () => requestStreamGrant(service, ben.token), backoff_ms: 20 });
  });
  afterAll(async () => {
    stream?.close();
    await service?.close();
  });

  async function query(text: string, database = 'asterism') {
    const client = new pg.Client({ host: join(service.data_dir, 'postgres'), user: 'asterism', database });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const connections = `from pg_stat_activity where datname = 'asterism' and application_name like 'asterism%'`;

  const server = () =>
    Number(readFileSync(join(service.data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const childrenOf = (pid: number | undefined) =>
    execFileSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ pid: Number.parseInt(line, 10), args: line.trim().replace(/^\d+ /, '') }));
  const any = <T>(list: T[]): T | undefined => list[Math.floor(random() * list.length)];
  const kill = (all: { pid: number }[]) => process.kill(any(all)?.pid ?? Number.NaN, 'SIGKILL');

  const kinds: Record<string, () => unknown> = {
    'all connections end': () => query(`select pg_terminate_backend(pid) ${connections}`, 'postgres'),
    'a connection ends': async () =>
      query(
        `select pg_terminate_backend(${any(await query(`select pid ${connections}`, 'postgres'))?.pid})`,
        'postgres',
      ),
    'all statements are cancelled': () => query(`select pg_cancel_backend(pid) ${connections}`, 'postgres'),
    'a process of the database is killed': () =>
      kill(childrenOf(server()).filter(({ args }) => args.includes('asterism asterism'))),
    'the database restarts fast': () => process.kill(server(), 'SIGINT'),
    'the database restarts immediately': () => process.kill(server(), 'SIGQUIT'),
    'a child process is killed': () =>
      kill(childrenOf(service.process.pid).filter(({ args }) => !args.includes('postgres'))),
  };

  /** A token that is none is refused by the media server, which has to run for that. */
  async function askMedia(): Promise<Reply> {
    const { status } = await fetch(`${media_url}/rtc/validate?access_token=none`);
    return { status: status === 401 ? 200 : status };
  }

  it('goes on by itself, and loses, repeats and leaves nothing', { timeout: 120_000 + faults * 3000 }, async () => {
    const received = collectDirectMessages(stream);
    await poll(async () => stream.state === 'open', 'the stream');
    let answered = 0;
    const over = new AbortController();
    const odd = new Set<string>();

    /** Repeats a request until it succeeds. Until then it is refused with 503, and of the media server not answered. */
    const persist = (what: string, request: () => Promise<Reply>) =>
      poll(async () => {
        const { status, body } = await request().catch((error: unknown) => ({ status: 0, body: error }));
        answered += 1;
        const is_done = status >= 200 && status < 300;
        if (!is_done && status !== 503 && !(status === 0 && request === askMedia))
          odd.add(`${what}: ${status} ${JSON.stringify(body)}`);
        return is_done;
      }, what);
    const ask = (route: string, person: RunningPerson, body?: object) => {
      const headers = { 'idempotency-key': randomUUID() };
      return persist(route, () => service.call(route, { token: person.token, body, ...(body && { headers }) }));
    };

    const sent: string[] = [];
    const write = async (_: unknown, writer: number) => {
      for (let at = 0; !over.signal.aborted; at++) {
        await ask(`POST /dm/threads/${thread_id}/chat`, ada, { body: `${writer}.${at}` });
        sent.push(`${writer}.${at}`);
      }
    };
    const read = async (route: string) => {
      while (!over.signal.aborted) await ask(route, ben);
    };
    const posted: string[] = [];
    const countLetters = async () => {
      for (let count = 0; ; count += 100) {
        const page = await fetch(`${service.url}/console/outbox?to=ada@example.org&limit=100&offset=${count}`);
        const { items, has_more } = (await page.json()) as { items: object[]; has_more: boolean };
        if (!has_more) return count + items.length;
      }
    };
    const letters = { asked: 0, sent: countLetters };
    const letters_before = await letters.sent();
    const doOthers = async () => {
      for (let at = 0; !over.signal.aborted; at++) {
        await persist('an upload', () => uploadWav(service, ada, randomUUID()));
        await persist('the media server', askMedia);
        await ask('PATCH /me', ada, { display_name: `Ada ${at}` });
        await ask('POST /statuses', ada, { body: `status ${at}` });
        posted.push(`status ${at}`);
        await ask('POST /auth/magic-link', ada, { email: 'ada@example.org' });
        letters.asked += 1;
      }
    };
    const working = [
      ...Array.from({ length: writers }, write),
      read('GET /me'),
      read('GET /home'),
      read('GET /feed'),
      read(`GET /dm/threads/${thread_id}/chat`),
      doOthers(),
    ];
    const { pid } = service.process;
    const countOthers = async () =>
      readdirSync(`/proc/${pid}/fd`).length - (await query(`select pid ${connections}`)).length;
    await poll(async () => letters.asked > 1, 'the first of all requests');
    const others = await countOthers();
    for (let count = 0; count < faults; count++) {
      const until = answered + random() * pause;
      await poll(async () => answered >= until, 'answers');
      const [, run] = any(Object.entries(kinds).filter(([kind]) => kind.includes(only))) ?? [];
      // It finds nothing to end when the database is not back from the one before.
      await (async () => run?.())().catch(() => undefined);
    }
    await poll(async () => (await fetch(`${service.url}/health/ready`)).status === 200, 'the service to be ready');
    over.abort();
    await Promise.all(working);

    expect([...odd]).toEqual([]);
    expect([service.process.pid, service.process.exitCode, service.process.signalCode]).toEqual([pid, null, null]);
    expect(log).not.toContain('an error was left unhandled');
    await poll(async () => sent.every((text) => received.includes(text)), 'all events');
    const numbered = (texts: string[]) => texts.filter((text) => text.includes('.')).toSorted();
    const stored = await query('select body from dm_messages');
    expect(numbered(stored.map(({ body }) => body))).toEqual(sent.toSorted());
    expect(numbered(received)).toEqual(sent.toSorted());
    // What this node keeps of rows is what the database has.
    const { items } = await requestAs(service, ben, 'GET /feed?limit=5');
    const [{ display_name }] = await query(`select display_name from users where username = 'ada'`);
    expect(
      items.map((one: { body: string; author: { display_name: string } }) => [one.body, one.author.display_name]),
    ).toEqual(
      posted
        .slice(-5)
        .toReversed()
        .map((body) => [body, display_name]),
    );
    // One that was fetched on a lost connection is found within 40 s; one that failed is repeated after some seconds. A
    // push that a newer one of its chat replaced while it ran is not repeated.
    const jobs = `from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`;
    const unfinished = `${jobs} where case when attempts = 0 then run_at <= now() else attempts < max_attempts end`;
    await poll(async () => (await query(`select j.id ${unfinished}`)).length === 0, 'the end of all jobs');
    expect(await letters.sent()).toBeGreaterThanOrEqual(letters_before + letters.asked);
    const given_up = `${jobs} where attempts >= max_attempts and t.identifier <> 'push.dm'`;
    expect(await query(`select t.identifier, last_error ${given_up}`)).toEqual([]);
    expect(await query('select * from graphile_worker._private_job_queues where locked_by is not null')).toEqual([]);
    expect(await query(`select query ${connections} and state like 'idle in%'`)).toEqual([]);
    expect(await query(`select query ${connections} and wait_event_type = 'Lock'`)).toEqual([]);
    await poll(
      async () => (await countOthers()) <= others + requests_at_once,
      'other descriptors to be closed',
      10_000,
    );
  });
});
