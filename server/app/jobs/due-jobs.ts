/**
 * Polls for overdue scheduled jobs and events: those that a node had claimed when it died, and those whose wake-up was
 * lost.
 */
import { notifyOverdue } from '../../features/calendar/jobs.ts';
import { isAnyOverdue, runDue } from '../../features/scheduled-jobs/rules/run-due.ts';
import type { Services } from '../../kernel/services.ts';

const round_ms = 500;

const kinds: Record<string, (services: Services) => Promise<void>> = {
  'scheduled jobs': async (services) => {
    if (await isAnyOverdue(services)) await runDue(services);
  },
  events: notifyOverdue,
};

/** Starts polling. @returns a handle that stops it, after the current round */
export function startDueJobs(services: Services): { close(): Promise<void> } {
  const lookers = Object.entries(kinds).map(([name, look]) => startPolling(services, name, look));
  return {
    async close() {
      await Promise.all(lookers.map((one) => one.close()));
    },
  };
}

/** Each kind is polled separately, so that many items of one do not delay the other. */
function startPolling(
  services: Services,
  name: string,
  look: (services: Services) => Promise<void>,
): { close(): Promise<void> } {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let failed = false;

  async function runRound(): Promise<void> {
    try {
      await look(services);
      failed = false;
    } catch (error) {
      // Logged once, and not at every poll of an outage.
      if (!failed && !closed) services.log.warn({ err: error, kind: name }, 'failed to look for due jobs');
      failed = true;
    }
    if (!closed) timer = setTimeout(() => void (running = runRound()), round_ms);
  }

  let running = runRound();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
