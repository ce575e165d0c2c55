/** Readiness: what `/health/ready` says while the service stops, and whether anybody has been told. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../kernel/load/limits.ts';

export type Readiness = {
  isDraining(): boolean;
  /** Somebody asks, such as a load balancer. */
  noteAsked(): void;
  /** Begins to say no; resolves once whoever asks regularly has heard it, or at once when nobody does. */
  withdraw(): Promise<void>;
};

/** Whoever asked within this time asks regularly. */
const regular_ms = 30_000;

/** Makes the readiness of a service that is ready. */
export function createReadiness({ drain_notice_ms }: Limits): Readiness {
  let draining = false;
  let asked_at_ms = -Infinity;
  const told = Promise.withResolvers<void>();
  return {
    isDraining: () => draining,
    noteAsked() {
      asked_at_ms = performance.now();
      if (draining) told.resolve();
    },
    async withdraw() {
      draining = true;
      const is_watched = performance.now() - asked_at_ms < regular_ms;
      if (is_watched) await Promise.race([told.promise, wait(drain_notice_ms)]);
    },
  };
}
