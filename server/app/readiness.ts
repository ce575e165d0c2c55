/** Readiness: the state of `/health/ready` at shutdown, and whether a probe has seen it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../kernel/load/limits.ts';

/** Whether this node takes traffic, as a load balancer sees it. */
export type Readiness = {
  isDraining(): boolean;
  /** Records a probe, such as that of a load balancer. */
  recordProbe(): void;
  /** Becomes unready; resolves once a regular prober has seen it, or at once when there is none. */
  withdraw(): Promise<void>;
};

/** A prober that asked within this time counts as regular. */
const regular_ms = 30_000;

/** Creates the readiness of a service that is ready. */
export function createReadiness({ drain_notice_ms }: Limits): Readiness {
  let draining = false;
  let asked_at_ms = -Infinity;
  const noticed = Promise.withResolvers<void>();
  return {
    isDraining: () => draining,
    recordProbe() {
      asked_at_ms = performance.now();
      if (draining) noticed.resolve();
    },
    async withdraw() {
      draining = true;
      const is_watched = performance.now() - asked_at_ms < regular_ms;
      if (is_watched) await Promise.race([noticed.promise, wait(drain_notice_ms)]);
    },
  };
}
