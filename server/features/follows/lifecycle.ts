import { deleteFollows } from '../../domain/social/follows.ts';
import { cancelRequests, clearExpiredRequests } from '../../domain/social/follow-requests.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount(change, user_id, portion) {
    const follows = await deleteFollows(
      change,
      sql`f.id = any(array(select id from follows where follower_id = ${user_id} order by id limit ${portion}))`,
    );
    const requests = await cancelRequests(
      change,
      sql`r.id = any(array(
        select id from follow_requests where user_id = ${user_id} and state in ('pending', 'declined')
        order by id limit ${portion}))`,
    );
    return follows.length >= portion || requests >= portion;
  },
  async expire(change, portion) {
    return (await clearExpiredRequests(change, portion)) >= portion;
  },
};
