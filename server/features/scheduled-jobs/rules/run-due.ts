/** Runs what is due: a few at a time, so that requests keep their time, and of each account in turn. */
import { sql } from '../../../kernel/database/database.ts';
import type { Services } from '../../../kernel/services.ts';
import { runJob } from './run-job.ts';

/** How many of those that are due are put in order at once, and how many of them are then run before the next look. */
const looked_at = 10_000;
const portion = 200;
/** Transactions at once: each takes a connection from those that requests use. */
const at_once = 4;

const running = new WeakMap<Services, Promise<void>>();

/** Runs all that is due. While this process is at it already, it is waited for, and then looked again. */
export async function runDue(services: Services): Promise<void> {
  const under_way = running.get(services);
  if (under_way) {
    await under_way.catch(() => undefined);
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
    // What is left is in the hands of another node.
    if (taken === 0) return;
  }
}

/** Those that are due: the first of each account, then the second of each, so that nobody waits behind another's hundreds. */
async function selectDue({ db, clock }: Services): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from (
      select id, due_at, row_number() over (partition by user_id order by due_at, id) as turn
      from (select id, user_id, due_at from scheduled_jobs where due_at <= ${clock.now()} order by due_at limit ${looked_at}::int) due
    ) ranked order by turn, due_at, id limit ${portion}::int`);
  return rows.map(({ id }) => id);
}

/** Whether something is due that should have been run by now. */
export async function isAnyOverdue({ db, clock }: Services): Promise<boolean> {
  return (await db.run(sql`select 1 from scheduled_jobs where due_at <= ${clock.now()} limit 1`)) > 0;
}
