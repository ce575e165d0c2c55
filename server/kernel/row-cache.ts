/**
 * A cache of rows that a change would otherwise read first. A statement that relies on a cached value compares it with
 * the row, and fails when they differ: then the change is repeated, without the cache. So a stale value is never used,
 * and caches need no invalidation between nodes.
 */
import { isRefused, sql, type Sql } from './database/database.ts';

const stale = 'a cached row is stale';

/** True where a condition holds; where it does not, the statement fails and the change is repeated. */
export const requireUnchanged = (condition: Sql): Sql =>
  sql`case when ${condition} then true else refuse(${stale}) end`;

/** Whether a change failed because a cached value was stale. */
export const isStaleRow = (error: unknown): boolean => isRefused(error, stale);

/** Values by key, the most recently stored ones of each service. */
export type RowCache<V> = {
  get(service: object, key: string): V | undefined;
  set(service: object, key: string, value: V): void;
  delete(service: object, key: string): void;
};

/**
 * @param max the capacity
 * @param weigh how much of the capacity a value uses; 1 by default
 */
export function createRowCache<V>(max: number, weigh: (value: V) => number = () => 1): RowCache<V> {
  const of_services = new WeakMap<object, { values: Map<string, V>; weight: number }>();
  const entriesOf = (service: object) => {
    const known = of_services.get(service) ?? { values: new Map<string, V>(), weight: 0 };
    of_services.set(service, known);
    return known;
  };
  const remove = (service: object, key: string) => {
    const entries = entriesOf(service);
    const value = entries.values.get(key);
    if (value !== undefined) entries.weight -= weigh(value);
    entries.values.delete(key);
  };
  return {
    get: (service, key) => entriesOf(service).values.get(key),
    set(service, key, value) {
      remove(service, key);
      const entries = entriesOf(service);
      entries.values.set(key, value);
      entries.weight += weigh(value);
      for (const oldest of entries.values.keys()) {
        if (entries.weight <= max) break;
        remove(service, oldest);
      }
    },
    delete: remove,
  };
}
