import { lockPresence } from '../../domain/accounts/presence.ts';
import { updateGuestPresence } from '../../domain/calls/link-guests.ts';
import { job } from '../../kernel/job.ts';
import { change } from '../../kernel/services.ts';
import { isGuestConnected } from './queries.ts';

/** How long a guest may take to connect to the stream, in seconds: as long as they may be disconnected. */
export const connect_s = 30;

/** Hides a waiting guest who has never connected: they closed the page at once. */
export const hideAbsentGuest = job<{ guest_id: string }>({
  name: 'hide_absent_guest',
  max_attempts: 5,
  async run({ guest_id }, services) {
    await change(services, async (one) => {
      await lockPresence(one.db, guest_id);
      if (!(await isGuestConnected(one.db, guest_id))) await updateGuestPresence(one, guest_id, false);
    });
  },
});
