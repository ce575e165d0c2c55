/** Maintenance: once an hour, on one node, each area removes what has expired. */
import { planSweep } from '../../features/files/jobs.ts';
import { deleteOldAnswers } from '../../kernel/http/idempotency.ts';
import { job } from '../../kernel/job.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { deleteOldEvents, retention_s } from '../../kernel/realtime/outbox.ts';
import { change, type Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

const every_s = 3600;
/** The number of rows of a kind per transaction. */
const portion = 1000;

const sweep = job<Record<string, never>>({
  name: 'maintenance.sweep',
  max_attempts: 3,
  async run(_nothing, services) {
    // Planned first, so that a failing area does not prevent the next run.
    await planNext(services);
    const now = services.clock.now();
    while ((await deleteOldEvents(services.db, after(now, -retention_s), now, portion)) === portion);
    while ((await deleteOldAnswers(services.db, now, portion)) === portion);
    for (const lifecycle of services.lifecycles) await expireAll(services, lifecycle);
  },
});

async function expireAll(services: Services, { expire }: Lifecycle): Promise<void> {
  let has_more = expire !== undefined;
  while (has_more) has_more = (await change(services, async (one) => expire?.(one, portion))) === true;
}

/** The jobs of maintenance, to be registered beside those of the areas. */
export const maintenance_jobs = [sweep];

/** Ensures that the next sweeps are queued: that of rows, and that of stored bytes, which reschedules itself. */
export async function runMaintenance(services: Services): Promise<void> {
  await planNext(services);
  await change(services, async (one) => planSweep(one.enqueue, after(one.now, every_s)));
}

async function planNext(services: Services): Promise<void> {
  await change(services, async (one) =>
    one.enqueue(sweep, {}, { key: 'maintenance.sweep', run_at: after(one.now, every_s) }),
  );
}
