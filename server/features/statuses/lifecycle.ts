import { clearNotifications } from '../../domain/notifications/notifications.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { deleteLikesOf } from './queries.ts';

export const statusesLifecycle: Lifecycle = {
  async purgeAccount(change, user_id, portion) {
    const gone = await deleteLikesOf(change.db, user_id, portion);
    await clearNotifications(change, gone);
    return gone.length >= portion;
  },
};
