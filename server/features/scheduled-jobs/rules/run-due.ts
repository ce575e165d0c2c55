/** Runs due jobs: a few at a time, so that requests are not delayed, and round robin over accounts. */
import { sql } from '../../../kernel/database/database.ts';
import type { Services } from '../../../kernel/services.ts';
import { runJob } from './run-job.ts';

/** How many due jobs are sorted at once, and how many of them are then run before the next query. */
const looked_at = 10_000;
const portion = 200;
/** Concurrent transactions: each occupies a connection that requests could use. */
const at_once = 4;

const running = new WeakMap<Services, Promise<void>>();

/** Runs everything that is due. If this process is already doing so, waits for that and then checks again. */
export async function runDue(services: Services): Promise<void> {
  const run = running.get(services);
  if (run) {
    await run.catch(() => undefined);
    if (running.has(services)) return running.get(services);
  }
  const work = runAll(services).finally(() => running.delete(services));
  running.set(services, work);
  return work;
}

async function runAll(services: Services): Promise<void> {
  for (;;) {
    const ids = await selectDue(services);
    let taken = 0;
    const runNext = async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) if (await runJob(services, id)) taken += 1;
    };
    await Promise.all(Array.from({ length: at_once }, runNext));
    // The rest is being run by another node.
    if (taken === 0) return;
  }
}

/** The due jobs: the first of each account, then the second of each, so that none waits for hundreds of another. */
export async function selectDue({ db, clock }: Services): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from (
      select id, due_at, row_number() over (partition by user_id order by due_at, id) as turn
      from (select id, user_id, due_at from scheduled_jobs where due_at <= ${clock.now()} order by due_at limit ${looked_at}::int) due
    ) ranked order by turn, due_at, id limit ${portion}::int`);
  return rows.map(({ id }) => id);
}

/** Whether a job is overdue. */
export async function isAnyOverdue({ db, clock }: Services): Promise<boolean> {
  return (await db.run(sql`select 1 from scheduled_jobs where due_at <= ${clock.now()} limit 1`)) > 0;
}
