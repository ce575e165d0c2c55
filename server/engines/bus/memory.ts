/** The bus of a single process. */
import type { Bus } from '../ports.ts';

/** The interval between sweeps of expired entries; reads never return them in any case. */
const SWEEP_INTERVAL_MS = 30_000;

/** Creates a bus within this process, without persistence. */
export function createMemoryBus(): Bus {
  const listeners = new Map<string, Set<(message: string) => void>>();
  const counters = new Map<string, { value: number; ends_ms: number }>();
  const presence = new Map<string, Map<string, number>>();
  // The monotonic clock: neither clock corrections nor the console's clock end a user's presence.
  const now_ms = () => performance.now();

  const sweep = setInterval(() => {
    for (const [key, { ends_ms }] of counters) if (ends_ms <= now_ms()) counters.delete(key);
    for (const [key, members] of presence) {
      for (const [member, ends_ms] of members) if (ends_ms <= now_ms()) members.delete(member);
      if (members.size === 0) presence.delete(key);
    }
  }, SWEEP_INTERVAL_MS).unref();

  return {
    isConnected: () => true,
    publish(channel, message) {
      // Asynchronously, as over a network: a listener never runs inside its publisher.
      for (const listener of listeners.get(channel) ?? []) {
        queueMicrotask(() => listeners.get(channel)?.has(listener) && listener(message));
      }
      return Promise.resolve();
    },
    subscribe(channel, listener) {
      const own = (message: string) => listener(message);
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(own));
      return Promise.resolve(() => {
        all.delete(own);
        if (all.size === 0 && listeners.get(channel) === all) listeners.delete(channel);
        return Promise.resolve();
      });
    },
    increment(key, ttl_ms, amount = 1) {
      const known = counters.get(key);
      const counter = known && known.ends_ms > now_ms() ? known : { value: 0, ends_ms: now_ms() + ttl_ms };
      counter.value += amount;
      counters.set(key, counter);
      return counter.value;
    },
    touch(key, member, ttl_ms) {
      const members = presence.get(key) ?? new Map<string, number>();
      presence.set(key, members.set(member, now_ms() + ttl_ms));
      return Promise.resolve();
    },
    drop(key, member) {
      presence.get(key)?.delete(member);
      return Promise.resolve();
    },
    members(key) {
      const present = [...(presence.get(key) ?? [])].filter(([, ends_ms]) => ends_ms > now_ms());
      return Promise.resolve(present.map(([member]) => member));
    },
    close() {
      clearInterval(sweep);
      listeners.clear();
      return Promise.resolve();
    },
  };
}
