/**
 * What a node remembers of rows that a change would have to read first. A statement that writes by it compares it with what
 * stands, and refuses where that is otherwise: then the change is done again, and reads. So nothing remembered is ever
 * believed, and no node has to hear of what another has changed.
 */
import { isRefused, sql, type Sql } from './database/database.ts';
import type { Services } from './services.ts';

const outdated = 'what is remembered is outdated';

/** True where a condition holds; where it does not, the statement fails and the change is done again. */
export const isStill = (condition: Sql): Sql => sql`case when ${condition} then true else refuse(${outdated}) end`;

/** Whether a change has failed for what was remembered. */
export const isOutdated = (error: unknown): boolean => isRefused(error, outdated);

/** Values by their keys, the most recent ones of each service. */
export type Memory<V> = {
  recall(services: Services, key: string): V | undefined;
  keep(services: Services, key: string, value: V): void;
  forget(services: Services, key: string): void;
};

/**
 * @param max how much is kept, the latest
 * @param weigh how much of that a value is; as many values are kept where it is left out
 */
export function createMemory<V>(max: number, weigh: (value: V) => number = () => 1): Memory<V> {
  const of_services = new WeakMap<Services, { values: Map<string, V>; weight: number }>();
  const keptOf = (services: Services) => {
    const known = of_services.get(services) ?? { values: new Map<string, V>(), weight: 0 };
    of_services.set(services, known);
    return known;
  };
  const forget = (services: Services, key: string) => {
    const kept = keptOf(services);
    const value = kept.values.get(key);
    if (value !== undefined) kept.weight -= weigh(value);
    kept.values.delete(key);
  };
  return {
    recall: (services, key) => keptOf(services).values.get(key),
    keep(services, key, value) {
      forget(services, key);
      const kept = keptOf(services);
      kept.values.set(key, value);
      kept.weight += weigh(value);
      for (const oldest of kept.values.keys()) {
        if (kept.weight <= max) break;
        forget(services, oldest);
      }
    },
    forget,
  };
}
