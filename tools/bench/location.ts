/**
 * Measures the cost of a live map: a thousand connected people who each see fifty others and report every five seconds.
 * Called by npm run bench; `npm run bench -- location` measures only this.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { WebSocket } from 'ws';
import { ask, cpuOf, cpuOfDatabase, median } from './measure.ts';
import { addPeople, type BenchRun, type Person } from './subjects.ts';

const people_count = 1000;
const seen_count = 50;
const report_every_ms = 5000;
/** The first round fills the table and opens all connections, and is not counted. */
const rounds = 3;

/** What the measurements of location sharing need. */
export type LocationRun = Pick<BenchRun, 'service' | 'db' | 'postmaster' | 'write'>;

/** Each shares their position with the next fifty, so that each sees the fifty before them. */
async function shareWithNext(db: pg.Client, people: Person[]): Promise<void> {
  const ids = people.map(({ id }) => id);
  await db.query(
    `insert into location_settings (user_id, mode, precision, expires_at, shared_since)
     select unnest($1::text[]), 'selected', 'exact', now() + interval '1 day', now() - interval '1 hour'`,
    [ids],
  );
  await db.query(
    `insert into location_viewers (owner_id, viewer_id)
     select ($1::text[])[1 + n], ($1::text[])[1 + (n + k) % $2] from generate_series(0, $2 - 1) n, generate_series(1, $3) k`,
    [ids, people_count, seen_count],
  );
  await db.query('vacuum analyze location_viewers');
}

/** The people in random order. */
const shuffle = (people: Person[]): Person[] =>
  people
    .map((person) => ({ person, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ person }) => person);

async function connect(port: number, agent: Agent, { token }: Person, onMove: () => void): Promise<WebSocket> {
  const [, text] = await ask(port, agent, { method: 'POST', path: '/v1/realtime/grant', token, body: '{}' });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime/socket`, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'resume', token: (JSON.parse(text) as { token: string }).token })),
    );
    socket.once('message', () => resolve());
  });
  socket.on('message', (data: Buffer) => {
    if (data.includes('"location.updated"')) onMove();
  });
  return socket;
}

/**
 * Everybody reports once, evenly spread over the interval between two reports, in the order given.
 * @throws when a report is refused
 */
async function reportAll(port: number, agent: Agent, people: Person[]): Promise<void> {
  const began_ms = performance.now();
  const sent = people.map(async ({ token }, at) => {
    await delay((at * report_every_ms) / people.length);
    const body = JSON.stringify({
      latitude: 52.5 + Math.random() / 100,
      longitude: 13.4 + Math.random() / 100,
      accuracy_m: 10,
      recorded_at: new Date().toISOString(),
    });
    const [status, text] = await ask(port, agent, { method: 'POST', path: '/v1/location/report', token, body });
    if (status !== 204) throw new Error(`A report had status ${status}: ${text.slice(0, 200)}`);
  });
  await Promise.all(sent);
  await delay(Math.max(0, report_every_ms - (performance.now() - began_ms)));
}

/** Measures the share of a core used by service and database until all reports have reached those who may see them. */
export async function measureLocation({ service, db, postmaster, write }: LocationRun): Promise<void> {
  const people = await addPeople(db, people_count, 0, { name: 'mapped', numbers: '+1416555' });
  await shareWithNext(db, people);
  // In another order than that of the viewers: the positions that one viewer sees rarely move at the same moment.
  const reporters = shuffle(people);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  let moves = 0;
  const sockets: WebSocket[] = [];
  for (const person of people) sockets.push(await connect(service.port, agent, person, () => (moves += 1)));
  const shares: { own: number; all: number }[] = [];
  let heard = 0;
  for (let round = 0; round <= rounds; round++) {
    const before = { own_ms: cpuOf(service.pid), database_ms: cpuOfDatabase(postmaster), moves };
    const began_ms = performance.now();
    await reportAll(service.port, agent, reporters);
    const took_ms = performance.now() - began_ms;
    const own = (cpuOf(service.pid) - before.own_ms) / took_ms;
    heard = moves - before.moves;
    if (round > 0) shares.push({ own, all: own + (cpuOfDatabase(postmaster) - before.database_ms) / took_ms });
  }
  for (const socket of sockets) socket.terminate();
  agent.destroy();
  const of = (name: 'own' | 'all') => `${(median(shares.map((one) => one[name])) * 100).toFixed(0)} %`;
  write(
    `${people_count} people, each seeing ${seen_count}`,
    `${of('own')} of a core, ${of('all')} with the database; ${heard} moves told in 5 s`,
  );
}
