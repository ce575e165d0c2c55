/** Builds the service from its engines; tests build it in the same way. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Engines, Tracing } from '../engines/ports.ts';
import { selectSubscriptions } from '../domain/social/follows.ts';
import { createReplayFilter } from '../domain/visibility/replay.ts';
import { createAuthenticator, SessionCache } from './authenticator.ts';
import { features } from '../features/index.ts';
import { openPool, type Pool } from '../kernel/database/database.ts';
import { createDecoder, type Decoder } from '../kernel/media/decoder.ts';
import { fail } from '../kernel/errors.ts';
import { buildHttp } from '../kernel/http/http.ts';
import { createDrain } from '../kernel/http/connections/http-drain.ts';
import { listen, type Listening } from '../kernel/http/connections/http-listen.ts';
import { createIds } from '../kernel/id.ts';
import { default_limits, type Limits } from '../kernel/load/limits.ts';
import type { Log } from '../kernel/observability/log.ts';
import { createMetrics } from '../kernel/observability/metrics.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { startRealtime, type Broadcast } from '../kernel/realtime/realtime.ts';
import { compileOperations, createOperations, type Operation } from '../kernel/http/operation.ts';
import { createSecrets } from '../kernel/security/secret.ts';
import { createFairQueue } from '../kernel/load/fair-queue.ts';
import type { Services } from '../kernel/services.ts';
import { createCommonWords } from '../kernel/search/common-words.ts';
import { createThrottle } from '../kernel/load/throttle.ts';
import { wireTime, type Clock } from '../kernel/time.ts';
import { traceJob, tracePool, traceRequests } from '../kernel/tracing.ts';
import { loadServiceKey, type Config } from './config/config.ts';
import { addCalendarPages } from './pages/calendar/calendar-pages.ts';
import { addConsole } from './console/console.ts';
import { startDueJobs } from './jobs/due-jobs.ts';
import { addGauges } from './gauges.ts';
import { attachGateway } from './media/gateway.ts';
import { openQueue, startJobs, type JobRunner } from './jobs/jobs.ts';
import { addOperations } from './operations.ts';
import { recoverRecordings } from '../domain/calls/recording/record-call.ts';
import { insertDeferredEvents } from './jobs/deferred-events.ts';
import { runMaintenance, maintenance_jobs } from './jobs/maintenance.ts';
import { addGroupLinkPage } from './pages/group/group-page.ts';
import { addInvitePage } from './pages/invite-page.ts';
import { addLocationPage } from './pages/location/location-page.ts';
import { addMap } from './pages/location/map.ts';
import { queuePages } from './pages/page-queue.ts';
import { addPages } from './pages/pages.ts';
import { createPresence, withPresence } from './presence.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createPictures } from './pages/link-preview.ts';
import { addProfilePage } from './pages/profile-page.ts';
import { addWebhooks } from './webhooks.ts';
import { writeErrorPage } from './pages/public-page.ts';
import { addWidgetPages } from './pages/widget-pages.ts';

/** One node of the service, built and not yet listening. */
export type App = {
  services: Services;
  http: FastifyInstance;
  jobs: JobRunner;
  /** Starts listening; returns the port. */
  listen(): Promise<number>;
  /** Drains and closes everything except the engines. */
  close(): Promise<void>;
};

/** What a node is built from. Engines belong to the caller, who closes them after the node. */
export type AppOptions = {
  config: Config;
  engines: Engines;
  clock: Clock;
  log: Log;
  tracing?: Tracing | undefined;
  /** Validates every reply against its schema. */
  check_replies?: boolean;
  /** Whether jobs run by themselves; tests run them explicitly. */
  background?: boolean;
  /** Overrides of the limits table. */
  limits?: Partial<Limits>;
  /** A new one unless given; closed with the service. */
  decoder?: Decoder | undefined;
  /** Connections to a migrated database, closed with the service; new ones unless given. */
  connections?: { db: Pool; queue: pg.Pool } | undefined;
};

/** The folder of the schema's migrations, which run in the order of their names. */
export const migrations_dir = join(import.meta.dirname, '..', 'migrations');

/** Every operation of the API, in the order of the areas. */
export const endpoints = features.flatMap((feature) => feature.endpoints);
const jobs_of_all = [...features.flatMap((feature) => feature.jobs ?? []), ...maintenance_jobs, insertDeferredEvents];

const refuseBusy = () => fail('unavailable', { retry_after_s: 2 });

type Foundation = Pick<AppOptions, 'config' | 'engines' | 'clock' | 'log' | 'tracing'> & {
  limits: Limits;
  decoder: Decoder;
  operations: readonly Operation[];
};

/** The connections to the database, once it is migrated: the migration uses those of the queue, which stay open. */
async function openConnections({ database_pool }: Config, { database }: Engines, limits: Limits) {
  const queue = openQueue(database.url);
  try {
    await migrate(queue, migrations_dir);
  } catch (error) {
    await queue.end();
    throw error;
  }
  return { db: openPool(database.url, database_pool, limits), queue };
}

/** Creates the services that every operation uses. */
async function openServices(
  { config, engines, clock, log, tracing, limits, operations, decoder }: Foundation,
  pool: Pool,
) {
  const { database: _database, ...other_engines } = engines;
  const db = tracing ? tracePool(pool, tracing) : pool;
  const realtime = await startRealtime(
    db,
    log,
    limits,
    (user_id) => selectSubscriptions(db, user_id),
    createReplayFilter(db),
  );
  const sessions = new SessionCache();
  const services: Services = {
    ...other_engines,
    db,
    clock,
    id: createIds(clock),
    secrets: createSecrets(loadServiceKey(config)),
    limits,
    commonWords: createCommonWords(db),
    throttle: createThrottle(engines.bus, clock, config.throttle_factor),
    log,
    metrics: createMetrics(),
    public_url: config.public_url,
    phone_countries: config.phone_countries,
    map_provider: config.map_provider,
    realtime,
    sessions,
    wake: () => {
      realtime.wake();
      // A lost notification delays other nodes until their next poll; no event is lost.
      engines.bus.publish('outbox', '').catch(() => undefined);
    },
    broadcast: ({ type }, user_ids, data) => {
      if (user_ids.length === 0) return;
      const message: Broadcast = { user_ids, type, at: wireTime(clock.now()), data };
      engines.bus.publish('broadcast', JSON.stringify(message)).catch(() => undefined);
    },
    hashing: createFairQueue(
      {
        running: limits.hashing_running,
        running_per_account: limits.hashing_running,
        waiting: limits.hashing_waiting,
        overload: {
          waiting: limits.hashing_waiting_overloaded,
          refused_ms: limits.request_overload_ms,
          wait_ms: limits.hashing_wait_ms,
        },
      },
      refuseBusy,
    ),
    decoder,
    lifecycles: features.flatMap(({ lifecycle }) => lifecycle ?? []),
    operations: createOperations(operations),
  };
  services.realtime = withPresence(realtime, createPresence(services, randomUUID()));
  await followBus(services, engines, sessions);
  return { services, sessions, db };
}

/** Handles messages from other nodes, and invalidates cached sessions that have changed. */
async function followBus({ realtime }: Services, { bus }: Engines, sessions: SessionCache): Promise<void> {
  await bus.subscribe('outbox', () => realtime.wake());
  await bus.subscribe('broadcast', (message) => realtime.deliver(JSON.parse(message) as Broadcast));
  realtime.onCommitted((event) => {
    if (event.type !== 'session.revoked' && event.type !== 'session.changed') return;
    // The revocation of one guest has the topic of that guest, and comes with a change of the call's session.
    if (event.topic.startsWith('session:')) sessions.drop(event.topic.slice('session:'.length));
  });
}

/** Adds all routes. */
function addRoutes(http: FastifyInstance, services: Services, config: Config, readiness: Readiness): void {
  addOperations(http, services, config, readiness);
  addWebhooks(http, services);
  addPages(http, services);
  addMap(http, services);
  void http.register(async (scope) => {
    queuePages(scope, services.limits);
    const pictures = createPictures();
    addProfilePage(scope, services, pictures);
    addWidgetPages(scope, services);
    addCalendarPages(scope, services, pictures);
    addInvitePage(scope, services);
    addGroupLinkPage(scope, services, pictures);
    addLocationPage(scope, services);
  });
  if (config.console) addConsole(http, services);
}

/** Starts background work: due jobs, and what an earlier process left unfinished. */
async function startBackground(services: Services): Promise<ReturnType<typeof startDueJobs>> {
  const due_jobs = startDueJobs(services);
  await runMaintenance(services);
  // Not awaited, since mixing recordings takes time.
  void recoverRecordings(services).catch((error: unknown) =>
    services.log.error({ err: error }, 'failed to store recordings left by an earlier process'),
  );
  return due_jobs;
}

/** Migrates the database and builds the service on it. */
export async function buildApp({
  config,
  engines,
  clock,
  log,
  tracing,
  check_replies = false,
  background = true,
  limits: own_limits = {},
  decoder: given_decoder,
  connections,
}: AppOptions): Promise<App> {
  const limits: Limits = { ...default_limits, ...own_limits };
  const operations = compileOperations(endpoints, check_replies);
  const { db: pool, queue } = connections ?? (await openConnections(config, engines, limits));
  const decoder = given_decoder ?? createDecoder(limits);
  const { services, sessions, db } = await openServices(
    { config, engines, clock, log, tracing, limits, operations, decoder },
    pool,
  );
  const traced_jobs = tracing ? jobs_of_all.map((job) => traceJob(job, tracing)) : jobs_of_all;
  const jobs = await startJobs(services, queue, traced_jobs, background);
  const due_jobs = background ? await startBackground(services) : undefined;
  const { authenticate, recall } = createAuthenticator(services, sessions);
  const http = buildHttp({
    services,
    operations,
    authenticate,
    recall,
    base_path: '/v1',
    trust_proxy: config.trust_proxy,
    writeErrorPage,
  });
  if (tracing) traceRequests(http, tracing);
  const readiness = createReadiness(limits);
  const drain = createDrain(http.server, limits);
  addRoutes(http, services, config, readiness);
  addGauges(services);
  let listening: Listening | undefined;
  let gateway: { close(): void } | undefined;
  return {
    services,
    http,
    jobs,
    async listen() {
      listening = await listen(http, config, limits, log);
      gateway = attachGateway(http.server, services);
      return listening.port;
    },
    async close() {
      if (listening) await readiness.withdraw();
      await listening?.close();
      const jobs_stopped = Promise.all([jobs.close(), due_jobs?.close()]);
      gateway?.close();
      services.realtime.closeConnections();
      await drain.finish();
      await http.close();
      await jobs_stopped;
      services.decoder.close();
      await services.realtime.close();
      await db.close();
    },
  };
}
