/**
 * npm run soak [-- MINUTES]: a long run with everything at once: random requests to every operation with values that
 * its schema allows, malicious files, sockets that open and close, and a control user who sends small requests all the
 * time. Every minute it prints the latency of the control user, the memory and descriptors of the service, and the
 * counts of responses. Fails on a response of 5xx other than a 503 with `Retry-After`, and when memory or descriptors
 * keep growing. Linux only.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { WebSocket } from 'ws';
import { endpoints } from '../../server/app/app.ts';
import { routeOf, type Endpoint } from '../../server/kernel/endpoint.ts';
import { createHostileFiles, contact_kinds } from '../../server/testing/samples/hostile-files.ts';
import { valuesOf } from '../../server/testing/operations/requests/schema-values.ts';
import { multipart } from '../../server/testing/samples/upload.ts';
import { randomFrom, seedOf, usual_seed } from '../../testing/seed.ts';
import { percentile, residentOf } from './measure.ts';
import { addPeople, findDatabase, makeFolder, startService, stop, type Child, type Person } from './subjects.ts';

const people_count = 12;
const requests_per_s = 40;
const walkers = 4;
const sockets_count = 30;
const hostile_every_ms = 2000;
const innocent_every_ms = 100;
const usual_minutes = 120;
/** The number of remembered identifiers of each prefix, so that requests keep reaching new rows. */
const max_known = 200;
/** The maximum ratio of memory and descriptors in the last quarter to those in the second. */
const max_growth = 1.25;

/** Operations that would end the sessions of the test users, and a response that never ends. */
const left_out = /^(deleteMe|logout|revokeSession|revokeAllSessions|changePassword|setMobile|streamRealtime)$/;
const { seed, label } = seedOf(usual_seed);
const random = randomFrom(seed);
const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];

/** One minute of the run. */
type Minute = {
  waits_ms: number[];
  memory_mb: number;
  descriptors: number;
  statuses: Map<number, number>;
  odd: string[];
};

/** Identifiers from responses, by their prefix. */
class KnownIds {
  private readonly by_prefix = new Map<string, string[]>();
  learn(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{2,4})_[0-9A-HJKMNP-TV-Z]{26}\b/g)) {
      const known = this.by_prefix.get(prefix) ?? [];
      if (known.length < max_known) known.push(id);
      else known[Math.floor(random() * max_known)] = id;
      this.by_prefix.set(prefix, known);
    }
  }
  of = (prefix: string): string[] => this.by_prefix.get(prefix) ?? [];
}

const propertiesOf = (schema: unknown) =>
  Object.entries((schema as { properties?: Record<string, object> } | undefined)?.properties ?? {});

/** A request to an operation, with identifiers from earlier responses and values that its schemas allow. */
function drawRequest(endpoint: Endpoint, ids: KnownIds): { method: string; path: string; body: unknown } {
  const draw = (schema: unknown) =>
    fc.sample(valuesOf(schema as Parameters<typeof valuesOf>[0], ids.of), {
      numRuns: 1,
      seed: Math.floor(random() * 2 ** 31),
    })[0];
  const { method, path } = routeOf(endpoint);
  const filled = propertiesOf(endpoint.path).reduce(
    (text, [name, schema]) => text.replace(`{${name}}`, encodeURIComponent(String(draw(schema)))),
    path,
  );
  const query = endpoint.query ? (draw(endpoint.query) as Record<string, unknown>) : {};
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return { method, path: `${filled}?${search.toString()}`, body: endpoint.body ? draw(endpoint.body) : undefined };
}

type Run = { service: Child; people: Person[]; ids: KnownIds; minute: () => Minute; is_over: () => boolean };

async function send(
  { service, ids, minute }: Run,
  who: Person,
  path: string,
  init: RequestInit,
  name: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${who.token}`, ...init.headers };
  const answer = await fetch(`http://127.0.0.1:${service.port}/v1${path}`, { ...init, headers });
  const text = await answer.text();
  ids.learn(text);
  const { statuses, odd } = minute();
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  const is_shed = answer.status === 503 && answer.headers.has('retry-after');
  if (answer.status >= 500 && !is_shed) odd.push(`${name}: ${answer.status} ${text.slice(0, 200)}`);
}

async function walk(run: Run): Promise<void> {
  const walked = endpoints.filter(({ id }) => !left_out.test(id));
  while (!run.is_over()) {
    const endpoint = pick(walked);
    const who = pick(run.people.slice(1));
    if (!endpoint || !who) return;
    const { method, path, body } = drawRequest(endpoint, run.ids);
    const init: RequestInit =
      body === undefined
        ? { method }
        : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const began_ms = performance.now();
    await send(run, who, path, init, endpoint.route);
    await delay(Math.max(0, (walkers * 1000) / requests_per_s - (performance.now() - began_ms)));
  }
}

async function sendHostileFiles(run: Run): Promise<void> {
  const kinds = [...(await createHostileFiles((below) => Math.floor(random() * below)))];
  for (let at = 0; !run.is_over(); at++) {
    const [kind, make] = kinds[at % kinds.length] ?? [];
    const who = pick(run.people.slice(1));
    if (!kind || !make || !who) return;
    const { raw, headers } = multipart(make(), 'file', 'application/octet-stream');
    const path = contact_kinds.includes(kind) ? '/contacts/import/preview' : '/files';
    await send(run, who, path, { method: 'POST', headers, body: new Uint8Array(raw) }, `a hostile ${kind}`);
    await delay(hostile_every_ms);
  }
}

/** Sockets of the test users; every second one is closed and another opened. */
async function keepSockets(run: Run): Promise<void> {
  const open: WebSocket[] = [];
  while (!run.is_over()) {
    if (open.length >= sockets_count) open.shift()?.terminate();
    const who = pick(run.people.slice(1));
    const grant = await fetch(`http://127.0.0.1:${run.service.port}/v1/realtime/grant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who?.token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const { token } = (await grant.json()) as { token?: string };
    const socket = new WebSocket(`ws://127.0.0.1:${run.service.port}/v1/realtime/socket`);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'resume', token })));
    socket.on('message', (data: Buffer) => run.ids.learn(data.toString()));
    // A refused socket is treated like one that was closed early.
    socket.on('error', () => undefined);
    open.push(socket);
    await delay(open.length < sockets_count ? 20 : 1000);
  }
  for (const socket of open) socket.terminate();
}

async function beInnocent(run: Run): Promise<void> {
  const [me] = run.people;
  if (!me) return;
  while (!run.is_over()) {
    const began_ms = performance.now();
    await send(run, me, '/me', {}, 'GET /me of somebody innocent');
    run.minute().waits_ms.push(performance.now() - began_ms);
    await delay(innocent_every_ms);
  }
}

function report(minutes: Minute[]): void {
  const last = minutes.at(-1);
  if (!last) return;
  const counts = [...last.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `minute ${minutes.length}: GET /me ${percentile(last.waits_ms, 0.5).toFixed(1)} ms, p99 ${percentile(last.waits_ms, 0.99).toFixed(0)}, max ${percentile(last.waits_ms, 1).toFixed(0)}; ${last.memory_mb.toFixed(0)} MB, ${last.descriptors} descriptors; ${counts.join(', ')}`,
  );
  for (const one of new Set(last.odd)) console.log(`  ${one}`);
}

/** The failures of the whole run. */
function judge(minutes: Minute[]): string[] {
  const wrong = minutes.flatMap(({ odd }) => odd);
  const quarter = Math.floor(minutes.length / 4);
  if (quarter < 1) return wrong;
  for (const name of ['memory_mb', 'descriptors'] as const) {
    const middle = (part: Minute[]) =>
      percentile(
        part.map((one) => one[name]),
        0.5,
      );
    const [early, late] = [middle(minutes.slice(quarter, 2 * quarter)), middle(minutes.slice(-quarter))];
    if (late > early * max_growth) wrong.push(`${name} rose from ${early.toFixed(0)} to ${late.toFixed(0)}`);
  }
  return wrong;
}

async function main(): Promise<void> {
  const length = Number(process.argv[2] ?? usual_minutes);
  console.log(`${length} minutes, ${label}`);
  const folder = makeFolder();
  const service = await startService(folder.data_dir);
  const db = new pg.Client({ connectionString: findDatabase(folder.data_dir).url });
  try {
    await db.connect();
    const people = await addPeople(db, people_count, 1);
    const minutes: Minute[] = [];
    const start = (): Minute => ({ waits_ms: [], memory_mb: 0, descriptors: 0, statuses: new Map(), odd: [] });
    let present = start();
    const until_ms = performance.now() + length * 60_000;
    const run: Run = {
      service,
      people,
      ids: new KnownIds(),
      minute: () => present,
      is_over: () => performance.now() > until_ms,
    };
    for (const { id } of people) run.ids.learn(id);
    const watch = setInterval(() => {
      const memory_mb = residentOf(service.pid) / 2 ** 20;
      const descriptors = readdirSync(`/proc/${service.pid}/fd`).length;
      if (run.is_over()) return;
      minutes.push({ ...present, memory_mb, descriptors });
      present = start();
      report(minutes);
    }, 59_900);
    await Promise.all([
      ...Array.from({ length: walkers }, () => walk(run)),
      sendHostileFiles(run),
      keepSockets(run),
      beInnocent(run),
    ]);
    clearInterval(watch);
    const wrong = judge(minutes);
    for (const one of new Set(wrong)) console.log(`wrong: ${one}`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } finally {
    await db.end();
    await stop(service);
    folder.remove();
  }
}

if (process.platform === 'linux') await main();
else console.log('The soak reads /proc and runs on Linux only.');
