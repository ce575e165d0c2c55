import { deferred_events, type DeferredEvents } from '../../kernel/change-effects.ts';
import { job } from '../../kernel/job.ts';
import { insertEvents } from '../../kernel/realtime/outbox.ts';

/** Inserts the events of a long change, after it. */
export const insertDeferredEvents = job<DeferredEvents>({
  name: deferred_events,
  max_attempts: 20,
  async run({ events }, services) {
    await insertEvents(services.db, events, services.clock.now());
    services.wake();
  },
});
