/**
 * npm run bench: compares the costs of the service with those of a floor, a minimal server with the same responses.
 * Both run on the same machine in alternating rounds, so that the ratios are comparable between machines; figures are
 * medians. Linux only.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { WebSocket } from 'ws';
import { ask, cpuOf, cpuOfDatabase, load, median, residentOf, type Ask } from './measure.ts';
import { default_limits } from '../../server/kernel/load/limits.ts';
import { addPeople, findDatabase, makeFolder, startFloor, startService, stop } from './subjects.ts';
import { compareServers } from './known-servers/compare-servers.ts';
import { measureAreas } from './areas.ts';
import { measureCalendar } from './calendar.ts';
import { measureCalls } from './calls.ts';
import { measureLocation } from './location.ts';
import { measureOperations } from './operations.ts';
import { measurePeople } from './people.ts';
import type { Child, Person } from './subjects.ts';

const at_once = 32;
const round_ms = 1300;
const rounds = 5;
const people_count = 400;
/** What the first argument may name, to measure only that. */
const parts = ['requests', 'operations', 'areas', 'calendar', 'location', 'calls', 'people', 'known-servers'];
const fan_out_topic = 'bench:all';
const tags_count = 30;
const receivers_count = 1000;
/** Enough events at once for the resolution of /proc, 10 ms. */
const events_count = 100;
const starts = 3;
const idle_ms = 3000;

type Run = { service: Child; floor: Child; db: pg.Client; postmaster: number; people: Person[] };

const write = (name: string, value: string) => console.log(`${name.padEnd(42)}${value}`);

/** Requests per second of CPU time, of the child and the database together. */
async function perCpuSecond({ postmaster }: Run, { pid, port }: Child, next: () => Ask): Promise<number> {
  const used_ms = () => cpuOf(pid) + cpuOfDatabase(postmaster);
  const before_ms = used_ms();
  const done = await load(port, at_once, round_ms, next);
  return (done * 1000) / (used_ms() - before_ms);
}

/** @param floorNext the request to the floor, where its operations differ from the service's */
async function compare(run: Run, title: string, next: () => Ask, floorNext = next): Promise<void> {
  const figures: Record<'service' | 'floor', number[]> = { service: [], floor: [] };
  // The first round of each warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['service', 'floor'] as const) {
      const figure = await perCpuSecond(run, run[name], name === 'service' ? next : floorNext);
      if (round > 0) figures[name].push(figure);
      await run.db.query(`delete from tags where visibility = 'private'`);
    }
  }
  const [service, floor] = [median(figures.service), median(figures.floor)];
  const ratio = (service / floor).toFixed(2);
  write(title, `${service.toFixed(0)} of ${floor.toFixed(0)} requests per CPU second, ratio ${ratio}`);
}

/** @throws when the responses of the two differ: then their costs cannot be compared */
async function requireSameAnswers({ service, floor }: Run, token: string): Promise<void> {
  const agent = new Agent();
  for (const path of ['/v1/me', '/v1/xtags']) {
    const [[, ours], [, theirs]] = [
      await ask(service.port, agent, { method: 'GET', path, token }),
      await ask(floor.port, agent, { method: 'GET', path, token }),
    ];
    if (ours !== theirs) throw new Error(`The floor and the service answer ${path} with different JSON.`);
  }
}

async function compareRequests(run: Run): Promise<void> {
  const token = run.people[0]?.token ?? '';
  await requireSameAnswers(run, token);
  await compare(run, 'GET /me', () => ({ method: 'GET', path: '/v1/me', token }));
  await compare(run, `GET /xtags (${tags_count} tags)`, () => ({ method: 'GET', path: '/v1/xtags', token }));
  let made = 0;
  // Owners alternate, since a plan limits the number of tags, and tags of one owner are created one after the other.
  await compare(run, 'POST /xtags', () => {
    made += 1;
    const owner = run.people[1 + (made % (run.people.length - 1))];
    const body = JSON.stringify({ name: `made-${made}`, visibility: 'private' });
    return { method: 'POST', path: '/v1/xtags', token: owner?.token ?? '', body };
  });
}

/** Receivers that count frames of events. */
async function connectReceivers(
  open: (at: number) => Promise<WebSocket>,
): Promise<{ wait(frames: number): Promise<void>; close(): void }> {
  const seen = { frames: 0 };
  const sockets: WebSocket[] = [];
  const count = (data: Buffer) => {
    if (data.includes('"bench.event"')) seen.frames += 1;
  };
  for (let at = 0; at < receivers_count; at++) {
    const socket = await open(at);
    socket.on('message', count);
    sockets.push(socket);
  }
  return {
    async wait(frames) {
      const limit_ms = performance.now() + 10_000;
      while (seen.frames < frames && performance.now() < limit_ms) await delay(2);
      if (seen.frames !== frames) throw new Error(`${seen.frames} frames came, not ${frames}.`);
      seen.frames = 0;
    },
    close: () => sockets.forEach((socket) => socket.terminate()),
  };
}

function opened(url: string, hello?: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => (hello === undefined ? resolve(socket) : socket.send(hello)));
    // The service sends a frame when the connection is ready.
    if (hello !== undefined) socket.once('message', () => resolve(socket));
  });
}

async function compareFanOut({ service, floor, db, people }: Run): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  // As many as an account may have; a subject that all of them receive makes them the receivers of one event.
  const owners = people.slice(0, Math.ceil(receivers_count / default_limits.realtime_connections_per_account));
  const lines = await connectReceivers(async (at) => {
    const { token = '' } = owners[at % owners.length] ?? {};
    const [, text] = await ask(service.port, agent, { method: 'POST', path: '/v1/realtime/grant', token, body: '{}' });
    const hello = JSON.stringify({ type: 'resume', token: (JSON.parse(text) as { token: string }).token });
    return opened(`ws://127.0.0.1:${service.port}/v1/realtime/socket`, hello);
  });
  const subscribe = `insert into events (topic, type, data, at)
    select 'user:' || id, 'subscription.changed', $2::jsonb, now() from unnest($1::text[]) id`;
  const change = { add: [{ key: 'bench', topics: [fan_out_topic] }], remove: [] };
  await db.query(subscribe, [owners.map(({ id }) => id), JSON.stringify(change)]);
  const bare = await connectReceivers(() => opened(`ws://127.0.0.1:${floor.port}/`));
  const data = JSON.stringify({ text: 'x'.repeat(300) });
  const frame = `{"id":"abcdef.1000.1000","type":"bench.event","at":"2026-01-01T00:00:00Z","data":${data}}`;
  const deliveries = events_count * receivers_count;
  const microseconds = async (child: Child, send: () => Promise<unknown>, wait: (frames: number) => Promise<void>) => {
    const before_ms = cpuOf(child.pid);
    await send();
    await wait(deliveries);
    return ((cpuOf(child.pid) - before_ms) * 1000) / deliveries;
  };
  const figures: [number[], number[]] = [[], []];
  const insert = `insert into events (topic, type, data, at)
    select $1::text, 'bench.event', $2::jsonb, now() from generate_series(1, $3::int)`;
  const body = JSON.stringify({ text: frame, times: events_count });
  for (let round = 0; round <= rounds; round++) {
    const sent = () => db.query(insert, [fan_out_topic, data, events_count]);
    const ours = await microseconds(service, sent, lines.wait);
    const told = () =>
      ask(floor.port, agent, { method: 'POST', path: '/broadcast', token: owners[0]?.token ?? '', body });
    const theirs = await microseconds(floor, told, bare.wait);
    if (round > 0) {
      figures[0].push(ours);
      figures[1].push(theirs);
    }
  }
  lines.close();
  bare.close();
  agent.destroy();
  const [ours, theirs] = [median(figures[0]), median(figures[1])];
  const title = `events to ${receivers_count} websockets`;
  write(
    title,
    `${ours.toFixed(2)} of ${theirs.toFixed(2)} CPU microseconds a delivery, ratio ${(ours / theirs).toFixed(2)}`,
  );
}

/** Starts the service on the existing folder until it is ready, several times; the last one keeps running. */
async function measureStarts(data_dir: string): Promise<Child> {
  let service = await startService(data_dir);
  const times_ms: number[] = [];
  for (let start = 0; start < starts; start++) {
    await stop(service);
    service = await startService(data_dir);
    times_ms.push(service.ready_ms);
  }
  write('start to ready, existing folder', `${median(times_ms).toFixed(0)} ms`);
  await delay(idle_ms);
  write('resident memory, idle', `${(residentOf(service.pid) / 2 ** 20).toFixed(0)} MiB`);
  return service;
}

async function main(): Promise<void> {
  if (process.platform !== 'linux') {
    console.log('The bench reads /proc and runs on Linux only.');
    return;
  }
  const folder = makeFolder();
  const closing: (() => unknown)[] = [folder.remove];
  try {
    const service = await measureStarts(folder.data_dir);
    closing.unshift(() => stop(service));
    const { url, pid: postmaster } = findDatabase(folder.data_dir);
    const db = new pg.Client({ connectionString: url });
    await db.connect();
    closing.unshift(() => db.end());
    const people = await addPeople(db, people_count, tags_count);
    const [only, ...words] = process.argv.slice(2);
    if (only !== undefined && !parts.includes(only)) throw new Error(`The parts are ${parts.join(', ')}.`);
    const isWanted = (part: string) => only === undefined || only === part;
    if (only === 'known-servers') await compareServers({ service, db, database_url: url, postmaster, people, write });
    if (isWanted('requests')) await withFloor({ service, db, postmaster, people }, url, compareSingle);
    if (isWanted('operations'))
      await measureOperations({ service, db, database_url: url, postmaster, people, write }, words.join(' '));
    if (isWanted('areas')) await withFloor({ service, db, postmaster, people }, url, compareAreas);
    if (isWanted('calendar')) await measureCalendar({ service, db, postmaster, people, write });
    if (isWanted('location')) await measureLocation({ service, db, postmaster, write });
    if (isWanted('calls')) await measureCalls({ service, db, database_url: url, postmaster, people, write });
    const compareWith = (floor: Child, title: string, next: () => Ask) =>
      compare({ service, floor, db, postmaster, people }, title, next);
    if (isWanted('people'))
      await measurePeople({ service, db, database_url: url, postmaster, write, compare: compareWith });
  } finally {
    for (const close of closing) await close();
  }
}

/** Runs a part with its own floor, on the database of the service. */
async function withFloor(subjects: Omit<Run, 'floor'>, url: string, part: (run: Run) => Promise<void>): Promise<void> {
  const floor = await startFloor(url, `http://localhost:${subjects.service.port}`, subjects.people);
  try {
    await part({ ...subjects, floor });
  } finally {
    await stop(floor);
  }
}

async function compareSingle(run: Run): Promise<void> {
  await compareRequests(run);
  await compareFanOut(run);
}

const compareAreas = (run: Run) =>
  measureAreas({ ...run, write, compare: (title, ours, floor) => compare(run, title, ours, floor) });

await main();
