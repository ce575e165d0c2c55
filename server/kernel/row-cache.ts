/**
 * A cache of rows that a change would otherwise read first. A statement that relies on a cached value compares it with
 * the row, and fails when they differ: then the change is repeated, without the cache. So a stale value is never acted
 * upon, and caches need no invalidation between nodes.
 */
import { isRefused, sql, type Sql } from './database/database.ts';

const outdated = 'what is remembered is outdated';

/** True where a condition holds; where it does not, the statement fails and the change is repeated. */
export const requireUnchanged = (condition: Sql): Sql =>
  sql`case when ${condition} then true else refuse(${outdated}) end`;

/** Whether a change failed because a cached value was stale. */
export const isStaleRow = (error: unknown): boolean => isRefused(error, outdated);

/** Values by key, the most recently used ones of each service. */
export type RowCache<V> = {
  recall(service: object, key: string): V | undefined;
  keep(service: object, key: string, value: V): void;
  forget(service: object, key: string): void;
};

/**
 * @param max the capacity
 * @param weigh how much of the capacity a value takes; 1 by default
 */
export function createRowCache<V>(max: number, weigh: (value: V) => number = () => 1): RowCache<V> {
  const of_services = new WeakMap<object, { values: Map<string, V>; weight: number }>();
  const keptOf = (service: object) => {
    const known = of_services.get(service) ?? { values: new Map<string, V>(), weight: 0 };
    of_services.set(service, known);
    return known;
  };
  const forget = (service: object, key: string) => {
    const kept = keptOf(service);
    const value = kept.values.get(key);
    if (value !== undefined) kept.weight -= weigh(value);
    kept.values.delete(key);
  };
  return {
    recall: (service, key) => keptOf(service).values.get(key),
    keep(service, key, value) {
      forget(service, key);
      const kept = keptOf(service);
      kept.values.set(key, value);
      kept.weight += weigh(value);
      for (const oldest of kept.values.keys()) {
        if (kept.weight <= max) break;
        forget(service, oldest);
      }
    },
    forget,
  };
}
