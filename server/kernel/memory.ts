/**
 * What a node remembers of rows that a change would have to read first. A statement that writes by it compares it with what
 * stands, and refuses where that is otherwise: then the change is done again, and reads. So nothing remembered is ever
 * believed, and no node has to hear of what another has changed.
 */
import { isRefused, sql, type Sql } from './database/database.ts';

const outdated = 'what is remembered is outdated';

/** True where a condition holds; where it does not, the statement fails and the change is done again. */
export const isStill = (condition: Sql): Sql => sql`case when ${condition} then true else refuse(${outdated}) end`;

/** Whether a change has failed for what was remembered. */
export const isOutdated = (error: unknown): boolean => isRefused(error, outdated);

/** Values by their keys, the most recent ones of each service. */
export type Memory<V> = {
  recall(service: object, key: string): V | undefined;
  keep(service: object, key: string, value: V): void;
  forget(service: object, key: string): void;
};

/**
 * @param max how much is kept, the latest
 * @param weigh how much of that a value is; as many values are kept where it is left out
 */
export function createMemory<V>(max: number, weigh: (value: V) => number = () => 1): Memory<V> {
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
