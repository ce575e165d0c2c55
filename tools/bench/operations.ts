/**
 * Measures the costs of single operations in CPU milliseconds of server and database together, 32 at once, beside the
 * cheapest floor of their kind (`plain-floor.ts`) in the same run. Called by npm run bench; `npm run bench --
 * operations` measures only these, and `npm run bench -- operations TITLE` those whose title begins with it.
 */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { WebSocket } from 'ws';
import { ask, cpuOf, cpuOfDatabase, load, median, type Ask } from './measure.ts';
import { startPlainFloor, stop, type BenchRun, type Child, type Person } from './subjects.ts';

const at_once = 32;
const round_ms = 1500;
const rounds = 5;
const readers_count = 50;
const follows_count = 50;
const statuses_each = 10;
const messages_each = 40;

type Kind = 'row' | 'rows' | 'insert';
type Operation = { title: string; kind: Kind; /** times the floor */ aim: number; next: () => Ask };
type Made = { id: string };
type World = { readers: Person[]; authors: Person[]; tags: Made[]; threads: Made[]; sockets: WebSocket[] };

const floorAsks: Record<Kind, Ask> = {
  row: { method: 'GET', path: '/row', token: '' },
  rows: { method: 'GET', path: '/rows', token: '' },
  insert: { method: 'POST', path: '/insert', token: '', body: JSON.stringify({ body: 'A message of the floor.' }) },
};

/** Readers who follow every author's tag, statuses of each, and an accepted thread of each reader with an author. */
export async function fillWorld(port: number, people: Person[]): Promise<World> {
  const agent = new Agent({ keepAlive: true, maxSockets: at_once });
  const send = async ({ token }: Person, method: string, path: string, body: object) => {
    const [status, text] = await ask(port, agent, { method, path: `/v1${path}`, token, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(`${method} ${path} had status ${status}: ${text.slice(0, 200)}`);
    return (text === '' ? {} : JSON.parse(text)) as Made;
  };
  // The first person already owns many tags.
  const readers = people.slice(1, 1 + readers_count);
  const authors = people.slice(1 + readers_count, 1 + readers_count + follows_count);
  const tags = await Promise.all(
    authors.map((author, at) => send(author, 'POST', '/xtags', { name: `cost-${at}`, visibility: 'public' })),
  );
  for (const reader of readers) await Promise.all(tags.map(({ id }) => send(reader, 'PUT', `/xtags/${id}/follow`, {})));
  for (let round = 0; round < statuses_each; round++)
    await Promise.all(
      authors.map((author, at) => send(author, 'POST', '/statuses', { body: `Status ${round}`, tag_id: tags[at]?.id })),
    );
  const threads = await Promise.all(
    readers.map(async (reader, at) => {
      const peer = authors[at] as Person;
      const thread = await send(reader, 'POST', '/dm/threads', { user_id: peer.id });
      await send(reader, 'POST', `/dm/threads/${thread.id}/chat`, { body: 'Hello' });
      await send(peer, 'POST', `/dm/threads/${thread.id}/accept`, {});
      for (let sent = 0; sent < messages_each; sent++)
        await send(sent % 2 ? reader : peer, 'POST', `/dm/threads/${thread.id}/chat`, { body: `Message ${sent}` });
      return thread;
    }),
  );
  const sockets = await Promise.all(authors.map((author) => listen(port, agent, author)));
  agent.destroy();
  return { readers, authors, tags, threads, sockets };
}

/** A realtime connection of a person, which discards what it receives. */
async function listen(port: number, agent: Agent, { token }: Person): Promise<WebSocket> {
  const [, text] = await ask(port, agent, { method: 'POST', path: '/v1/realtime/grant', token, body: '{}' });
  const grant = JSON.parse(text) as { token: string };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime/socket`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('message', () => resolve(socket));
    socket.once('open', () => socket.send(JSON.stringify({ type: 'resume', token: grant.token })));
  });
}

/** The rows of the table; the requests of each alternate between its people. */
export function listOperations({ readers, authors, tags, threads }: World): Operation[] {
  let turn = 0;
  const at = () => (turn += 1) % readers_count;
  const get = (path: (at: number) => string) => () => {
    const now = at();
    return { method: 'GET', path: `/v1${path(now)}`, token: readers[now]?.token ?? '' };
  };
  const post = (of: Person[], path: (at: number) => string, body: (at: number) => object) => () => {
    const now = at();
    return { method: 'POST', path: `/v1${path(now)}`, token: of[now]?.token ?? '', body: JSON.stringify(body(now)) };
  };
  const text = () => ({ body: `Message ${turn}` });
  const message = post(readers, (now) => `/dm/threads/${threads[now]?.id}/chat`, text);
  return [
    { title: 'GET /me', kind: 'row', aim: 1.4, next: get(() => '/me') },
    { title: 'GET /xtags/{id}', kind: 'row', aim: 1.6, next: get((now) => `/xtags/${tags[now]?.id}`) },
    { title: 'GET /feed, 30 of 50 follows', kind: 'rows', aim: 1.6, next: get(() => '/feed?limit=30') },
    {
      title: 'last 30 messages of a thread',
      kind: 'rows',
      aim: 1.6,
      next: get((now) => `/dm/threads/${threads[now]?.id}/chat?limit=30`),
    },
    { title: 'GET /dm/threads', kind: 'rows', aim: 1.6, next: get(() => '/dm/threads') },
    {
      title: 'direct message, delivered live',
      kind: 'insert',
      aim: 3,
      next: message,
    },
    {
      // As the client sends it; its answer is a second row to be inserted.
      title: 'the same with an idempotency key',
      kind: 'insert',
      aim: 4,
      next: () => ({ ...message(), key: randomUUID() }),
    },
    {
      title: `POST /statuses, ${readers_count} followers`,
      kind: 'insert',
      aim: 4,
      next: post(
        authors,
        () => '/statuses',
        (now) => ({ ...text(), tag_id: tags[now]?.id }),
      ),
    },
    {
      title: 'POST /contacts',
      kind: 'insert',
      aim: 3,
      next: post(
        readers,
        () => '/contacts',
        () => ({ name: `Contact ${turn}` }),
      ),
    },
  ];
}

/**
 * Measures them and prints the table.
 * @param wanted measures only operations whose title begins with it; all by default
 */
export async function measureOperations(run: BenchRun, wanted = ''): Promise<void> {
  const { service, postmaster, write } = run;
  const world = await fillWorld(service.port, run.people);
  await run.db.query('vacuum analyze');
  const floor = await startPlainFloor(run.database_url);
  const costOf = async ({ pid, port }: Child, next: () => Ask) => {
    const [server_ms, database_ms] = [cpuOf(pid), cpuOfDatabase(postmaster)];
    const done = await load(port, at_once, round_ms, next);
    return [(cpuOf(pid) - server_ms) / done, (cpuOfDatabase(postmaster) - database_ms) / done] as const;
  };
  try {
    for (const { title, kind, aim, next } of listOperations(world).filter((one) => one.title.startsWith(wanted))) {
      const figures: { ours: readonly [number, number]; plain: readonly [number, number] }[] = [];
      // The first round of each warms up and is not counted.
      for (let round = 0; round <= rounds; round++) {
        const ours = await costOf(service, next);
        const plain = await costOf(floor, () => floorAsks[kind]);
        if (round > 0) figures.push({ ours, plain });
      }
      const of = (name: 'ours' | 'plain') => {
        const [server, database] = [0, 1].map((part) => median(figures.map((one) => one[name][part] ?? 0)));
        return { server: server ?? 0, database: database ?? 0, sum: (server ?? 0) + (database ?? 0) };
      };
      const [ours, plain] = [of('ours'), of('plain')];
      const parts = `${ours.server.toFixed(2)} of the server and ${ours.database.toFixed(2)} of the database`;
      const times = (ours.sum / plain.sum).toFixed(1);
      write(title, `${ours.sum.toFixed(2)} CPU ms (${parts}), ${times} times ${plain.sum.toFixed(2)} (aim ${aim})`);
    }
  } finally {
    for (const socket of world.sockets) socket.terminate();
    await stop(floor);
    await run.db.query('drop table if exists bench_rows');
  }
}
