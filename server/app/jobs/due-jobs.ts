/** Looks for scheduled jobs that are overdue: those that a node had taken on when it ended, and what a lost wake-up left. */
import { isAnyOverdue, runDue } from '../../features/scheduled-jobs/rules/run-due.ts';
import type { Services } from '../../kernel/services.ts';

const turn_ms = 500;

/** Begins to look. @returns how to stop, which waits for what is under way */
export function startDueJobs(services: Services): { close(): Promise<void> } {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let failed = false;

  async function turn(): Promise<void> {
    try {
      if (await isAnyOverdue(services)) await runDue(services);
      failed = false;
    } catch (error) {
      // Said once, and not at every turn of an outage.
      if (!failed && !closed) services.log.warn({ err: error }, 'scheduled jobs could not be looked for');
      failed = true;
    }
    if (!closed) timer = setTimeout(() => void (running = turn()), turn_ms);
  }

  let running = turn();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
