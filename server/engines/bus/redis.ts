/** The bus of many nodes: Redis or Valkey. */
import type { Redis } from 'ioredis';
import type { Bus } from '../ports.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 2_000;

/** How long commands fail at once after one has timed out, before another is tried. */
const PAUSE_MS = 1_000;

/** Increments and sets the expiry atomically, so that a crash leaves no counter without one. */
const INCREMENT = `local value = redis.call('INCRBY', KEYS[1], ARGV[2])
if value == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return value`;

/** Presence is a sorted set of members by expiry, by Redis's own clock, so that the nodes' clocks need not agree. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
const TOUCH = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], last[2])
return 1`;
const MEMBERS = `${NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')`;

/**
 * Connects to Redis 6.2 or newer. Two connections: one only subscribes (RESP2 allows nothing else on it). Both
 * reconnect automatically and resubscribe; commands fail at once meanwhile.
 * @param options.prefix precedes every key and channel, so that several services can share a server.
 * @throws one clear sentence when it cannot be reached at startup.
 */
export async function connectRedisBus(options: {
  url: string;
  prefix?: string;
  command_timeout_ms?: number;
}): Promise<Bus> {
  const { command_timeout_ms = COMMAND_TIMEOUT_MS } = options;
  const ioredis = await import('ioredis');
  const prefix = options.prefix ?? 'asterism:';
  const settings = {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: command_timeout_ms,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt: number) => Math.min(attempt * 50, 2_000),
  };
  const commands = new ioredis.Redis(options.url, settings);
  const listening = new ioredis.Redis(options.url, { ...settings, autoResubscribe: true });
  // A lost connection is reported by isConnected and by failing commands; unhandled, its event would end the process.
  for (const link of [commands, listening]) link.on('error', () => undefined);
  await connectBoth(commands, listening, new URL(options.url).host);

  const listeners = new Map<string, Set<(message: string) => void>>();
  listening.on('message', (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message);
  });
  // "ready" comes before the subscriptions are restored: until then messages are lost, and the bus counts as
  // disconnected.
  let restoring = false;
  listening.on('close', () => (restoring = true));
  listening.on('ready', () => {
    const channels = [...listeners.keys()];
    const restored = channels.length > 0 ? listening.subscribe(...channels) : Promise.resolve();
    restored.then(
      () => (restoring = false),
      () => listening.disconnect(true),
    );
  });

  const breaker = createCircuitBreaker(command_timeout_ms);
  return {
    isConnected: () => commands.status === 'ready' && listening.status === 'ready' && !restoring && !breaker.isOpen(),
    ...createStore(commands, breaker, prefix),
    async subscribe(channel, listener) {
      const name = prefix + channel;
      const own = (message: string) => listener(message);
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(own));
      await listening.subscribe(name);
      return async () => {
        all.delete(own);
        if (all.size > 0 || listeners.get(name) !== all) return;
        listeners.delete(name);
        await listening.unsubscribe(name);
      };
    },
    close() {
      commands.disconnect();
      listening.disconnect();
      return Promise.resolve();
    },
  };
}

/** What requests use: each command through the circuit breaker. */
function createStore(
  commands: Redis,
  { run }: CircuitBreaker,
  prefix: string,
): Omit<Bus, 'isConnected' | 'subscribe' | 'close'> {
  return {
    async publish(channel, message) {
      await run(() => commands.publish(prefix + channel, message));
    },
    increment: async (key, ttl_ms, amount = 1) =>
      Number(await run(() => commands.eval(INCREMENT, 1, prefix + key, ttl_ms, amount))),
    async touch(key, member, ttl_ms) {
      await run(() => commands.eval(TOUCH, 1, prefix + key, member, ttl_ms));
    },
    async drop(key, member) {
      await run(() => commands.zrem(prefix + key, member));
    },
    members: async (key) => (await run(() => commands.eval(MEMBERS, 1, prefix + key))) as string[],
  };
}

type CircuitBreaker = {
  isOpen(): boolean;
  /** Runs a command. @throws at once while the breaker is open */
  run<T>(command: () => Promise<T>): Promise<T>;
};

/**
 * A circuit breaker: once a command has timed out, others fail at once, and one at a time is tried after a pause. Requests
 * use several commands, some of them in a transaction: with a server that hangs each would wait for every one.
 */
function createCircuitBreaker(timeout_ms: number): CircuitBreaker {
  let is_open = false;
  let retry_at_ms = -Infinity;
  return {
    isOpen: () => is_open,
    async run<T>(command: () => Promise<T>): Promise<T> {
      const now_ms = performance.now();
      if (is_open && now_ms < retry_at_ms) throw new Error('Redis does not answer');
      // While this command is tried, the others still fail.
      if (is_open) retry_at_ms = now_ms + timeout_ms + PAUSE_MS;
      try {
        const result = await command();
        is_open = false;
        return result;
      } catch (error) {
        if (error instanceof Error && error.message === 'Command timed out') {
          is_open = true;
          retry_at_ms = performance.now() + PAUSE_MS;
        }
        throw error;
      }
    },
  };
}

async function connectBoth(commands: Redis, listening: Redis, host: string): Promise<void> {
  try {
    await Promise.all([commands.connect(), listening.connect()]);
  } catch (cause) {
    commands.disconnect();
    listening.disconnect();
    throw new Error(`Redis does not answer at ${host} (${(cause as Error).message}): check REDIS_URL.`, { cause });
  }
}
