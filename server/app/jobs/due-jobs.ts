/**
 * Looks for scheduled jobs and events that are overdue: those that a node had taken on when it ended, and what a lost
 * wake-up left.
 */
import { tellOverdue } from '../../features/calendar/jobs.ts';
import { isAnyOverdue, runDue } from '../../features/scheduled-jobs/rules/run-due.ts';
import type { Services } from '../../kernel/services.ts';

const turn_ms = 500;

const kinds: Record<string, (services: Services) => Promise<void>> = {
  'scheduled jobs': async (services) => {
    if (await isAnyOverdue(services)) await runDue(services);
  },
  events: tellOverdue,
};

/** Begins to look. @returns how to stop, which waits for what is under way */
export function startDueJobs(services: Services): { close(): Promise<void> } {
  const lookers = Object.entries(kinds).map(([name, look]) => startLooking(services, name, look));
  return {
    async close() {
      await Promise.all(lookers.map((one) => one.close()));
    },
  };
}

/** Each kind has turns of its own, so that ten thousand of one do not hold up the other. */
function startLooking(
  services: Services,
  name: string,
  look: (services: Services) => Promise<void>,
): { close(): Promise<void> } {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let failed = false;

  async function turn(): Promise<void> {
    try {
      await look(services);
      failed = false;
    } catch (error) {
      // Said once, and not at every turn of an outage.
      if (!failed && !closed) services.log.warn({ err: error, kind: name }, 'what is due could not be looked for');
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
