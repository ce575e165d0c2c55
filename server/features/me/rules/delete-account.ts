/** Deletion of an account: each area ends its part at once, and purges its rows later, in portions. */
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change } from '../../../kernel/services.ts';

/** The number of rows of a kind per transaction. */
const portion = 500;

/** Deletes what others see of an account and its relations to them. The caller has marked its row as deleted. */
export async function deleteAccountContent(change: Change, user_id: string): Promise<void> {
  for (const { accountDeleted } of change.services.lifecycles) await accountDeleted?.(change, user_id);
  change.enqueue(purgeAccount, { user_id });
}

/** Purges a deleted account, portion by portion. */
export const purgeAccount = job<{ user_id: string }>({
  name: 'accounts.purge',
  max_attempts: 20,
  async run({ user_id }, services) {
    await inChange(services, async (change) => {
      let has_more = false;
      for (const lifecycle of services.lifecycles)
        has_more = (await lifecycle.purgeAccount?.(change, user_id, portion)) === true || has_more;
      if (has_more) change.enqueue(purgeAccount, { user_id });
    });
  },
});
