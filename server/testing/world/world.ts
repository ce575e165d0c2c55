/**
 * A world: the whole service in one process, with a new database, a separate clock and engines without external
 * services.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { inject } from 'vitest';
import { buildApp, type App, type AppOptions } from '../../app/app.ts';
import { combinePush } from '../../app/push.ts';
import { readConfig } from '../../app/config/config.ts';
import { openDiskBlobs } from '../../engines/blobs/disk.ts';
import { createMemoryBus } from '../../engines/bus/memory.ts';
import { createConsoleMail } from '../../engines/mail/console.ts';
import { createConsolePayment } from '../../engines/payment/console.ts';
import { createConsolePush } from '../../engines/push/console.ts';
import { createOutboxSink } from '../../engines/outbox-sink/memory.ts';
import type { Bus, CapturedMessage, Engines, Media, OutboxSink, Push, Tracing } from '../../engines/ports.ts';
import { createNoSpeech } from '../../engines/speech/none.ts';
import { createConsoleTelephony } from '../../engines/telephony/console.ts';
import { createConsoleSms } from '../../engines/sms/console.ts';
import { createFakeRecorder } from '../providers/fake-recorder.ts';
import { createNoTranscoder } from '../../engines/transcoder/none.ts';
import { missed } from '../../domain/scheduling/failures.ts';
import { findRefusal } from '../../kernel/language/refusals.ts';
import { createLog, type Log } from '../../kernel/observability/log.ts';
import { default_limits, type Limits } from '../../kernel/load/limits.ts';
import { createDecoder, type Decoder } from '../../kernel/media/decoder.ts';
import { createClock, type Clock } from '../../kernel/time.ts';
import { openPlainPool } from '../../kernel/database/database.ts';
import { releaseDatabase, discardDatabase, worldConnections, acquireDatabase } from './reused-databases.ts';
import { requireDocumented } from './documented-errors.ts';
import { databaseUrl, peopled_name, service_key, template_name } from './template.ts';

export type Answer<T = any> = { status: number; body: T; headers: Record<string, string> }; // oxlint-disable-line typescript/no-explicit-any -- tests read answers freely

type Call = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  raw?: string | Buffer;
  ip?: string;
};

export type World = {
  app: App;
  clock: Clock;
  /** Who is connected to which room, as the fake media server reports it. */
  rooms: Map<string, Set<string>>;
  /** One request, in process; the path without the version. */
  call(route: string, options?: Call): Promise<Answer>;
  /** Runs all jobs that are due. */
  settle(): Promise<void>;
  /** What was sent to an address, newest first, after all due jobs have run. */
  sent(to: string): Promise<CapturedMessage[]>;
  /** Types and data of the events of a topic, oldest first. */
  events(topic: string): Promise<{ type: string; data: any }[]>; // oxlint-disable-line typescript/no-explicit-any -- tests read events freely
  /** Resets rate budgets and deletes caught messages. */
  forget(): void;
  /**
   * The service as after a kill -9 at this moment: the database accepts no more statements from it, whatever it was
   * doing, and another service starts with the same database and rooms, at the same time of day.
   */
  crash(): Promise<World>;
  close(): Promise<void>;
};

/** What remains when a service is killed. */
type Surroundings = { clock: Clock; rooms: Map<string, Set<string>> };

export type WorldOptions = {
  environment?: Record<string, string>;
  engines?: Partial<Engines>;
  background?: boolean;
  tracing?: Tracing;
  log?: Log;
  limits?: Partial<Limits>;
  /** Whether it contains the personas. */
  peopled?: boolean;
};

/** Builds a world over a copy of the template. */
export async function createWorld({ peopled = true, ...options }: WorldOptions = {}): Promise<World> {
  const server_url = inject('database_url');
  // Copied as files: copying page by page through the log takes four times as long, for a durability that no test
  // needs.
  // The copy is deleted with its server at the end of the run.
  const copy = (template: string) => (name: string) =>
    administer(server_url, `create database ${name} template ${template} strategy file_copy`);
  if (!peopled || !isOrdinary(options)) {
    const name = `world_${randomUUID().replaceAll('-', '')}`;
    await copy(peopled ? peopled_name : template_name)(name);
    return openWorld(server_url, name, options);
  }
  const database = await acquireDatabase(server_url, copy(peopled_name));
  const world = await openWorld(server_url, database.name, options, undefined, worldConnections(database));
  return {
    ...world,
    async crash() {
      const restarted = await world.crash();
      await discardDatabase(database);
      return restarted;
    },
    async close() {
      await world.close();
      await releaseDatabase(database);
    },
  };
}

/** Whether a world uses its database in the ordinary way: with requests and jobs that run only when called. */
function isOrdinary({ background, limits = {}, environment = {}, engines = {} }: WorldOptions): boolean {
  const own_database = Object.keys(limits).some((name) => name.startsWith('database_'));
  return !background && !own_database && !('DATABASE_POOL' in environment) && !('database' in engines);
}

/** Builds a world over an existing database, which is not deleted. */
export async function openWorld(
  server_url: string,
  name: string,
  options: Omit<WorldOptions, 'peopled'> = {},
  { clock, rooms }: Surroundings = { clock: createClock(), rooms: new Map() },
  connections?: AppOptions['connections'],
): Promise<World> {
  const {
    environment = {},
    engines: custom_engines = {},
    background = false,
    tracing,
    log = createLog('error', undefined, { write: printCause }),
    limits = {},
  } = options;
  const data_dir = mkdtempSync(join(tmpdir(), 'asterism-world-'));
  const config = readConfig(
    {
      PORT: '0',
      DATA_DIR: data_dir,
      PUBLIC_URL: 'http://asterism.test',
      SERVICE_KEY: service_key,
      DATABASE_POOL: '6',
      ...environment,
    },
    data_dir,
  );
  const { outbox_sink, bus, resetCaught, resetBudgets } = createResettableEngines(clock);
  const engines: Engines = {
    database: { url: databaseUrl(server_url, name), kind: 'server', close: async () => undefined },
    bus,
    blobs: await openDiskBlobs({ dir: join(data_dir, 'files') }),
    mail: createConsoleMail(outbox_sink),
    sms: createConsoleSms(outbox_sink),
    telephony: createConsoleTelephony({ outbox_sink, dial_in_number: config.dial_in_number }),
    payment: createConsolePayment({ public_url: config.public_url, now: clock.now }),
    media: createFakeMedia(rooms),
    recorder: createFakeRecorder(clock.now),
    speech: createNoSpeech(),
    transcoder: createNoTranscoder(),
    push: createSimulatedPush(outbox_sink),
    outbox_sink,
    ...custom_engines,
  };
  const app = await buildApp({
    config,
    engines,
    clock,
    log,
    tracing,
    check_replies: true,
    background,
    limits: { ...quick_hashing, ...limits },
    decoder: shareDecoder(limits),
    connections,
  });
  await app.http.ready();
  return {
    app,
    clock,
    rooms,
    call: (route, request = {}) => call(app, route, request),
    settle: () => app.jobs.settle(),
    async sent(to) {
      await app.jobs.settle();
      return outbox_sink.list({ to, limit: 100, offset: 0 }).items;
    },
    async events(topic) {
      const { rows } = await app.services.db.native.query(
        'select type, data from events where topic = $1 order by xid, position',
        [topic],
      );
      return rows;
    },
    forget() {
      resetCaught();
      resetBudgets();
    },
    async crash() {
      await administer(server_url, `alter database ${name} with allow_connections false`);
      await administer(server_url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      await app.close().catch(() => undefined);
      await administer(server_url, `alter database ${name} with allow_connections true`);
      const new_clock = createClock();
      await new_clock.advance(clock.offset_ms() / 1000);
      return openWorld(server_url, name, options, { clock: new_clock, rooms });
    },
    async close() {
      await app.close();
      await engines.bus.close();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

/** Prints the cause of a reply 500, which the test only sees as "Something went wrong on our side". */
function printCause(line: string): void {
  const { status, url, err, cause } = JSON.parse(line);
  if (status === 500) process.stderr.write(`The request to ${url} failed: ${(cause ?? err).stack}\n`);
}

/** The lowest cost of argon2. Worlds hash passwords only for what follows; `hashing.test.ts` tests the usual cost. */
const quick_hashing = { hashing_memory_kib: 8, hashing_passes: 1 };

/**
 * The decoder of this thread, whose processes are reused by its worlds: starting one takes longer than most uploads.
 */
let decoder: Decoder | undefined;

/** The decoder of this thread for a world with the default limits of decoding. */
function shareDecoder(limits: Partial<Limits>): Decoder | undefined {
  if (Object.keys(limits).some((name) => name.startsWith('decoding_'))) return undefined;
  decoder ??= createDecoder(default_limits);
  return { ...decoder, close: () => undefined };
}

/** The bus and the sink of one process, whose budgets and caught messages can be reset. */
function createResettableEngines(clock: Clock) {
  let sink = createOutboxSink({ now: clock.now });
  let generation = 0;
  const memory = createMemoryBus();
  const bus: Bus = {
    ...memory,
    increment: (key, ttl_ms, amount) => memory.increment(`${generation}:${key}`, ttl_ms, amount),
  };
  const outbox_sink: OutboxSink = { add: (caught) => sink.add(caught), list: (query) => sink.list(query) };
  return {
    bus,
    outbox_sink,
    resetBudgets: () => void (generation += 1),
    resetCaught: () => void (sink = createOutboxSink({ now: clock.now })),
  };
}

async function call(app: App, route: string, { token, body, headers = {}, raw, ip }: Call): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await app.http.inject({
    method: method as 'GET',
    url: path.startsWith('/console') || path.startsWith('/health') || path.startsWith('/metrics') ? path : `/v1${path}`,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
    ...(ip ? { remoteAddress: ip } : {}),
  });
  const text = response.body;
  const is_json = String(response.headers['content-type'] ?? '').startsWith('application/json');
  const answer = is_json && text ? JSON.parse(text) : text;
  // The console is for developers, and only in English.
  const is_checked = headers['accept-language'] === undefined && !path.startsWith('/console');
  if (is_checked) requireCatalogued(response.statusCode >= 400 ? textsOf(answer.error) : failuresIn(answer));
  if (response.statusCode >= 400 && answer.error) requireDocumented(method, path, answer.error.code);
  return {
    status: response.statusCode,
    body: answer,
    headers: response.headers as Record<string, string>,
  };
}

const textsOf = (error: { message: string; fields?: Record<string, string> } | undefined): string[] =>
  [error?.message ?? [], ...Object.values(error?.fields ?? {})].flat();

/** The texts of failed scheduled jobs and of rows of an import in a reply. */
function failuresIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if (Array.isArray(answer)) return answer.flatMap(failuresIn);
  const { last_error, row, errors, ...rest } = answer as Record<string, unknown>;
  const of_job = typeof last_error === 'string' && last_error !== missed ? [last_error] : [];
  const of_row = typeof row === 'number' ? Object.values((errors ?? {}) as Record<string, string>) : [];
  return [...of_job, ...of_row, ...Object.values(rest).flatMap(failuresIn)];
}

/** Fails where the service returns a text that its catalogues do not contain, so that every test verifies them. */
function requireCatalogued(texts: string[]): void {
  const unknown = texts.filter((text) => text !== '' && findRefusal(text) === undefined);
  if (unknown.length > 0) throw new Error(`No catalogue of refusals has: ${unknown.join(' | ')}`);
}

/** Another node over the database of a world, which must remain open. */
export function openNode({ app }: World, options: WorldOptions = {}): Promise<World> {
  const { connectionString = '' } = app.services.db.native.options as { connectionString?: string };
  return openWorld(inject('database_url'), new URL(connectionString).pathname.slice(1), options);
}

/**
 * The administrator's connections of this thread, which end with it: each world needs one, and most need it only once.
 */
const administrators = new Map<string, pg.Pool>();

/** Runs one statement on the server as its administrator. */
export async function administer(url: string, statement: string): Promise<void> {
  const admin = administrators.get(url) ?? openPlainPool(url, 1, 'administrator of tests');
  administrators.set(url, admin);
  await admin.query(statement);
}

/** All platforms with the simulator, with a key of no browser. */
function createSimulatedPush(outbox_sink: OutboxSink): Push {
  const simulator = createConsolePush(outbox_sink);
  return combinePush(new Map(push_platforms.map((platform) => [platform, simulator])), 'a-key');
}

const push_platforms = ['ios', 'android', 'web'] as const;

/** A media server whose participants the test sets. */
function createFakeMedia(rooms: Map<string, Set<string>>): Media {
  return {
    grant: async ({ room, identity, ttl_s, holder }) => ({
      url: 'ws://media.test',
      token: [room, identity, holder?.session_id, holder?.generation].join('/'),
      expires_at: new Date(Date.now() + ttl_s * 1000),
      ice_servers: [{ urls: ['turn:turn.test'], username: identity, credential: 'secret' }],
    }),
    readGrant: async (token) => {
      const [room = '', identity = '', session_id = '', generation] = token.split('/');
      return { room, identity, session_id, generation: Number(generation) };
    },
    openRoom: async (room) => {
      if (!rooms.has(room)) rooms.set(room, new Set());
    },
    participants: async (room) => [...(rooms.get(room) ?? [])],
    hasRoom: async (room) => rooms.has(room),
    remove: async (room, identity) => {
      rooms.get(room)?.delete(identity);
    },
    sourcesOf: async (room, identity) => (rooms.get(room)?.has(identity) ? [] : undefined),
    mute: async () => undefined,
    closeRoom: async (room) => {
      rooms.delete(room);
    },
    receive: async (body) => JSON.parse(body),
    close: async () => undefined,
  };
}
