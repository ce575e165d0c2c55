/** What a deleted account leaves in threads and does not concern others is removed, in portions of its threads. */
import { clearNotifications } from '../../../domain/notifications/clear-notifications.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import { change as inChange } from '../../../kernel/services.ts';

/** The number of threads, and of messages, per transaction. */
const portion = 500;

type Thread = { id: string; peer_id: string; is_request: boolean; is_ended: boolean };

/** The threads of an account in the order of their peers: whether one is its unanswered request, and concerns nobody any more. */
function selectThreadsAfter(db: Queryable, user_id: string, peer_id: string): Promise<Thread[]> {
  return db.many<Thread>(sql`
    select t.id, t.peer_id, t.initiator_id = ${user_id} and t.state = 'pending' as is_request,
      not t.has_messages or u.deleted_at is not null as is_ended
    from (
      (select high_id as peer_id, * from dm_threads where low_id = ${user_id} and high_id > ${peer_id} order by high_id limit ${portion})
      union all
      (select low_id, * from dm_threads where high_id = ${user_id} and low_id > ${peer_id} order by low_id limit ${portion})
    ) t join users u on u.id = t.peer_id order by t.peer_id limit ${portion}`);
}

const deleteMessagesOf = (db: Queryable, thread_ids: string[]): Promise<number> =>
  db.run(sql`
    delete from dm_messages where id = any(array(
      select id from dm_messages where thread_id = any(${thread_ids}::text[]) limit ${portion}))`);

/**
 * Continues after a peer: an account may have any number of threads, most of which stay, as from a deleted user. Notifications of
 * its requests are cleared, and a thread is deleted, after its messages, when it has none or both accounts are deleted.
 */
export const purgeThreads = job<{ user_id: string; after?: string }>({
  name: 'dm.purge-threads',
  max_attempts: 20,
  async run({ user_id, after = '' }, services) {
    await inChange(services, async (change) => {
      const threads = await selectThreadsAfter(change.db, user_id, after);
      const idsOf = (some: Thread[]) => some.map(({ id }) => id);
      await clearNotifications(change, idsOf(threads.filter(({ is_request }) => is_request)));
      const ended = idsOf(threads.filter(({ is_ended }) => is_ended));
      if ((await deleteMessagesOf(change.db, ended)) === portion) change.enqueue(purgeThreads, { user_id, after });
      else {
        await change.db.run(sql`delete from dm_threads where id = any(${ended}::text[])`);
        const last = threads.length === portion ? threads.at(-1) : undefined;
        if (last) change.enqueue(purgeThreads, { user_id, after: last.peer_id });
      }
    });
  },
});
