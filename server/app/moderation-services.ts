/**
 * Moderation beside a running service: opens its database and what changes need, but no resources that only the service
 * may own.
 */
import { createMemoryBus } from '../engines/bus/memory.ts';
import { createOutboxSink } from '../engines/outbox-sink/memory.ts';
import type { Telephony } from '../engines/ports.ts';
import { features } from '../features/index.ts';
import { createCommonWords } from '../kernel/search/common-words.ts';
import { openPool } from '../kernel/database/database.ts';
import { createIds } from '../kernel/id.ts';
import { default_limits } from '../kernel/load/limits.ts';
import { createLog } from '../kernel/observability/log.ts';
import { createMetrics } from '../kernel/observability/metrics.ts';
import { createSecrets } from '../kernel/security/secret.ts';
import type { Services } from '../kernel/services.ts';
import { createThrottle } from '../kernel/load/throttle.ts';
import { createClock } from '../kernel/time.ts';
import { loadServiceKey, type Config } from './config/config.ts';

/**
 * Opens the services that an operator's action needs, on the database of the service. The service itself reads the
 * resulting events and runs the jobs: its readers poll every 400 ms, so that sockets close and caches are invalidated
 * within a second.
 * @param database_url the service's database
 */
export function openModeration(config: Config, database_url: string): { services: Services; close(): Promise<void> } {
  const db = openPool(database_url, 2);
  const clock = createClock();
  const bus = createMemoryBus();
  const services: Services = {
    db,
    clock,
    id: createIds(clock),
    secrets: createSecrets(loadServiceKey(config)),
    limits: default_limits,
    commonWords: createCommonWords(db),
    throttle: createThrottle(bus, clock, 1),
    log: createLog(config.log_level),
    metrics: createMetrics(),
    public_url: config.public_url,
    phone_countries: config.phone_countries,
    map_provider: config.map_provider,
    bus,
    blobs: absent('files'),
    mail: absent('mail'),
    sms: absent('SMS'),
    media: absent('media server'),
    telephony: absent<Telephony>('phones', {
      dial_in_number: config.dial_in_number,
      // Only the service knows whether its carrier has one; it runs the job that opens the route.
      dial_in_route: absent('route of phones'),
    }),
    payment: absent('payment provider'),
    recorder: absent('recorder'),
    speech: absent('speech'),
    transcoder: absent('transcoder'),
    push: absent('push service'),
    outbox_sink: createOutboxSink({ now: clock.now }),
    realtime: absent('realtime reader'),
    sessions: { drop: () => undefined },
    wake: () => undefined,
    broadcast: () => undefined,
    hashing: absent('hashing'),
    decoder: absent('decoder'),
    lifecycles: features.flatMap(({ lifecycle }) => lifecycle ?? []),
    operations: absent('operations'),
  };
  return {
    services,
    async close() {
      await db.close();
      await bus.close();
    },
  };
}

/** A stub for an engine that operators' actions do not use; using it fails with a clear error. */
function absent<T extends object>(what: string, facts: Partial<T> = {}): T {
  return new Proxy(facts as T, {
    get: (target, name) => {
      if (name in target) return target[name as keyof T];
      throw new Error(`moderation has no ${what} (${String(name)})`);
    },
  });
}
