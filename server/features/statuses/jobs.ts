import { purgeStatuses } from '../../domain/social/purge-statuses.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange } from '../../kernel/services.ts';

/** Deletes the remaining replies and likes of a deleted status, portion by portion, and then itself. */
export const purgeStatus = job<{ status_id: string }>({
  name: 'statuses.purge',
  max_attempts: 20,
  async run({ status_id }, services) {
    await inChange(services, async (change) => {
      if (await purgeStatuses(change, [status_id])) change.enqueue(purgeStatus, { status_id });
    });
  },
});
