/** What goes with an account: each area ends its own part at once, and removes its rows after that, in portions. */
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../../../kernel/services.ts';

/** How many rows of a kind go in one transaction. */
const portion = 500;

/** Deletes what an account has made and what binds it to others. The caller has marked its row as deleted. */
export async function deleteAccountContent(change: Change, services: Services, user_id: string): Promise<void> {
  for (const { accountDeleted } of services.lifecycles) await accountDeleted?.(change, user_id, services);
  change.enqueue(purgeAccount, { user_id });
}

/** Removes the rows of a deleted account, portion by portion. */
export const purgeAccount = job<{ user_id: string }>({
  name: 'accounts.purge',
  max_attempts: 20,
  async run({ user_id }, services) {
    await inChange(services, async (change) => {
      let has_more = false;
      for (const lifecycle of services.lifecycles)
        has_more = (await lifecycle.purgeAccount?.(change, user_id, portion, services)) === true || has_more;
      if (has_more) change.enqueue(purgeAccount, { user_id });
    });
  },
});
