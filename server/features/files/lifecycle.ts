import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { collectFiles } from './jobs.ts';

/** How long somebody waits for a transcript, in seconds. */
const request_term_s = 24 * 60 * 60;

export const lifecycle: Lifecycle = {
  /** Runs after the inbox, which transfers files that others received. */
  async purgeAccount({ db }, user_id, portion) {
    const uses = await db.run(sql`
      delete from file_uses where (subject_id, file_id) in (
        select fu.subject_id, fu.file_id from files f join file_uses fu on fu.file_id = f.id
        where f.owner_id = ${user_id} and not exists (
          select 1 from inbox_messages m where m.file_id = f.id and m.user_id <> ${user_id})
        limit ${portion}::int)`);
    const files = await db.run(sql`
      update files set unused_since = '-infinity' where id = any(array(
        select f.id from files f where f.owner_id = ${user_id} and (f.unused_since is null or f.unused_since <> '-infinity') and not exists (
          select 1 from inbox_messages m where m.file_id = f.id and m.user_id <> ${user_id})
        order by f.id limit ${portion}::int))`);
    const requests = await db.run(sql`
      delete from transcript_requests where ctid = any(array(
        select ctid from transcript_requests where user_id = ${user_id} limit ${portion}::int))`);
    return [uses, files, requests].some((count) => count >= portion);
  },
  async expire(change, portion) {
    change.enqueue(collectFiles, {}, { key: 'files.collect' });
    // Those whose recognition has failed for good.
    const requests = await change.db.run(sql`
      delete from transcript_requests where ctid = any(array(
        select ctid from transcript_requests where created_at <= ${after(change.now, -request_term_s)} limit ${portion}::int))`);
    return requests >= portion;
  },
};
