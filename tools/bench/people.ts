/**
 * Measures the costs of the feed, posting, counts and search, with 10,000 users and 1,000,000 statuses. Called by npm
 * run bench; `npm run bench -- people` measures only this.
 */
import { Agent } from 'node:http';
import type pg from 'pg';
import { WebSocket } from 'ws';
import {
  addCrowd,
  addStatuses,
  addTags,
  crowd_people,
  crowdId,
  full_crowd,
} from '../../server/testing/samples/crowd.ts';
import { ask, cpuOf, cpuOfDatabase, load, median, percentile, type Ask } from './measure.ts';
import { signIn, startFloor, stop, type BenchRun, type Child, type Person } from './subjects.ts';

const few_statuses = 10_000;
const searched_tags = 100_000;
const readers = 200;
const listeners_count = 1000;
const samples = 300;
const post_rounds = 5;
const tail_rounds = 7;
/**
 * Warm-up rounds, until the code of both sides is compiled: a compiler running beside a request delays it by
 * milliseconds.
 */
const warm_rounds = 7;

/** What the measurements of tags, follows and statuses need. */
export type PeopleRun = Pick<BenchRun, 'service' | 'db' | 'database_url' | 'postmaster' | 'write'> & {
  /** Compares the service's requests per CPU second with the floor's. */
  compare(floor: Child, title: string, next: () => Ask): Promise<void>;
};

/** The durations of many consecutive requests, in milliseconds. */
async function latencies(port: number, next: (at: number) => Ask, count = samples): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times_ms: number[] = [];
  for (let at = 0; at < count; at++) {
    const started_ms = performance.now();
    const [status, text] = await ask(port, agent, next(at));
    if (status > 299) throw new Error(`An answer had status ${status}: ${text.slice(0, 200)}`);
    times_ms.push(performance.now() - started_ms);
  }
  agent.destroy();
  return times_ms;
}

const ms = (value: number) => `${value.toFixed(2)} ms`;
const get = (path: string, person: Person | undefined): Ask => ({ method: 'GET', path, token: person?.token ?? '' });

type Spread = { median_ms: number; p99_ms: number };

/**
 * Median and 99th percentile of two kinds of requests in alternating rounds. The result is the median of the rounds,
 * since a single round also reflects the state of the machine.
 */
async function compareSpreads(
  port: number,
  one: (at: number) => Ask,
  other: (at: number) => Ask,
): Promise<[Spread, Spread]> {
  const figures: [number[][], number[][]] = [[], []];
  let asked = 0;
  // Many at once, so that every database connection has planned every statement before the tail is measured.
  for (const next of [one, other]) await load(port, 32, 2000, () => next((asked += 1)));
  for (let round = -warm_rounds; round < tail_rounds; round++) {
    for (const [at, next] of [one, other].entries()) {
      const times_ms = await latencies(port, next);
      if (round >= 0) figures[at]?.push(times_ms);
    }
  }
  const spreadOf = (times: number[][]): Spread => ({
    median_ms: median(times.map(median)),
    p99_ms: median(times.map((one_round) => percentile(one_round, 0.99))),
  });
  return [spreadOf(figures[0]), spreadOf(figures[1])];
}

/** Vacuums after the bulk inserts, whose cleanup is not a cost of the measured requests. */
async function settle(db: pg.Client): Promise<void> {
  await db.query('vacuum analyze');
  await db.query('checkpoint');
}

type Author = { person: Person | undefined; tag_id: string };
type PostCost = { cpu_ms: number; median_ms: number };

/**
 * CPU milliseconds of service and database for each of some posts, and their median latency, for each of two authors.
 * They alternate, because after a million inserts the database server runs cleanup work for a while.
 */
async function costOfPosts(run: PeopleRun, authors: [Author, Author]): Promise<[PostCost, PostCost]> {
  const used_ms = () => cpuOf(run.service.pid) + cpuOfDatabase(run.postmaster);
  const figures: [PostCost[], PostCost[]] = [[], []];
  for (let round = 0; round <= post_rounds; round++) {
    for (const [at, { person, tag_id }] of authors.entries()) {
      const body = JSON.stringify({ body: 'A status of the bench', tag_id });
      const next = (): Ask => ({ method: 'POST', path: '/v1/statuses', token: person?.token ?? '', body });
      const median_ms = median(await latencies(run.service.port, next, 100));
      const before_ms = used_ms();
      const done = await load(run.service.port, 4, 1000, next);
      // The first round of each warms up and is not counted.
      if (round > 0) figures[at]?.push({ cpu_ms: (used_ms() - before_ms) / done, median_ms });
    }
  }
  const middle = (of: PostCost[]): PostCost => ({
    cpu_ms: median(of.map(({ cpu_ms }) => cpu_ms)),
    median_ms: median(of.map(({ median_ms }) => median_ms)),
  });
  return [middle(figures[0]), middle(figures[1])];
}

/** Opens realtime connections for many followers, and measures how long a post takes to reach each. */
async function liveDelay(run: PeopleRun, author: Person | undefined, followers: Person[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const heard_ms: number[] = [];
  const sockets: WebSocket[] = [];
  for (const { token } of followers) {
    const grant = await ask(run.service.port, agent, { method: 'POST', path: '/v1/realtime/grant', token, body: '{}' });
    const socket = new WebSocket(`ws://127.0.0.1:${run.service.port}/v1/realtime/socket`, { perMessageDeflate: false });
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('message', () => resolve());
      socket.once('open', () =>
        socket.send(JSON.stringify({ type: 'resume', token: (JSON.parse(grant[1]) as { token: string }).token })),
      );
    });
    socket.on('message', (data: Buffer) => {
      if (data.includes('"status.posted"')) heard_ms.push(performance.now());
    });
  }
  const delays_ms: number[] = [];
  for (let round = 0; round < 5; round++) {
    heard_ms.length = 0;
    const body = JSON.stringify({ body: 'Live', tag_id: crowdId('tag', crowd_people.famous) });
    const started_ms = performance.now();
    await ask(run.service.port, agent, { method: 'POST', path: '/v1/statuses', token: author?.token ?? '', body });
    while (heard_ms.length < followers.length && performance.now() - started_ms < 10_000)
      await new Promise((resolve) => setImmediate(resolve));
    if (heard_ms.length !== followers.length) throw new Error(`${heard_ms.length} of ${followers.length} heard.`);
    delays_ms.push(...heard_ms.map((at_ms) => at_ms - started_ms));
  }
  for (const socket of sockets) socket.terminate();
  agent.destroy();
  return delays_ms;
}

/** Searches of several kinds over many tags, a seventh of them for three letters that occur in very many. */
async function measureSearch(
  { db, service, write }: PeopleRun,
  someReader: (at: number) => Person | undefined,
  readMe: () => Ask,
): Promise<void> {
  await addTags(db, full_crowd.users + 1, searched_tags, full_crowd.users);
  await settle(db);
  const words = ['crowd-7', 'crowd-77', 'title', 'crowd-4242', 'crwod-99', 'nothing like it', 'ab3'];
  const search = (at: number) =>
    get(`/v1/xtags/search?q=${encodeURIComponent(words[at % words.length] ?? '')}`, someReader(at));
  const [searched, me] = await compareSpreads(service.port, search, readMe);
  const times = (searched.p99_ms / me.median_ms).toFixed(1);
  write(
    'GET /xtags/search, 100,000 tags',
    `p99 ${ms(searched.p99_ms)}, ${times} of the median GET /me (${ms(me.median_ms)})`,
  );
}

/** Measures all of these and prints the results. */
export async function measurePeople(run: PeopleRun): Promise<void> {
  const { db, service, write } = run;
  const { users, statuses } = full_crowd;
  const started_ms = performance.now();
  await addCrowd(db, full_crowd);
  await addStatuses(db, 1, few_statuses, users);
  const ids = [crowd_people.famous, crowd_people.reader, crowd_people.usual];
  // Spread over all users, so that few of them are among those who write most.
  for (let at = 0; at < listeners_count; at++) ids.push(100 + Math.floor((at * (users - 100)) / listeners_count));
  const people = await signIn(
    db,
    ids.map((at) => crowdId('usr', at)),
  );
  const [famous, reader, , ...others] = people;
  const someReader = (at: number) => others[at % readers];
  await latencies(service.port, (at) => get('/v1/feed', someReader(at)));
  const small = median(await latencies(service.port, (at) => get('/v1/feed', someReader(at))));
  await addStatuses(db, few_statuses + 1, statuses, users);
  await settle(db);
  write('crowd and 1,000,000 statuses', `${((performance.now() - started_ms) / 1000).toFixed(0)} s`);
  await latencies(service.port, (at) => get('/v1/feed', someReader(at)));
  const large = median(await latencies(service.port, (at) => get('/v1/feed', someReader(at))));
  write('GET /feed, 10,000 to 1,000,000', `${ms(small)} to ${ms(large)}, ratio ${(large / small).toFixed(2)}`);
  const [many, usual] = await compareSpreads(
    service.port,
    () => get('/v1/feed', reader),
    (at) => get('/v1/feed', someReader(at)),
  );
  write(
    'GET /feed, p99 of 2,000 follows',
    `${ms(many.p99_ms)}, ${(many.p99_ms / usual.median_ms).toFixed(2)} of the usual reader's median (${ms(usual.median_ms)}), ` +
      `${(many.p99_ms / usual.p99_ms).toFixed(2)} of their p99`,
  );

  const floor = await startFloor(run.database_url, `http://localhost:${service.port}`, people);
  try {
    let at = 0;
    await run.compare(floor, 'GET /feed (30)', () => get('/v1/feed', someReader((at += 1))));
    await run.compare(floor, 'GET /notifications/unread-count', () =>
      get('/v1/notifications/unread-count', someReader((at += 1))),
    );
    await run.compare(floor, 'GET /follow-requests/count', () =>
      get('/v1/follow-requests/count', someReader((at += 1))),
    );
  } finally {
    await stop(floor);
  }

  // Before the realtime connections are opened: work after closing a thousand of them lasts half a minute.
  await measureSearch(run, someReader, () => get('/v1/me', famous));
  const [little, much] = await costOfPosts(run, [
    { person: others[999], tag_id: crowdId('tag', ids.at(-1) ?? 0) },
    { person: famous, tag_id: crowdId('tag', crowd_people.famous) },
  ]);
  write(
    'POST /statuses, few and 10,000 followers',
    `${little.cpu_ms.toFixed(2)} and ${much.cpu_ms.toFixed(2)} CPU ms, ${ms(little.median_ms)} and ${ms(much.median_ms)}`,
  );
  const delays = await liveDelay(run, famous, others.slice(0, listeners_count));
  write(`status to ${listeners_count} followers`, `median ${ms(median(delays))}, p99 ${ms(percentile(delays, 0.99))}`);
}
