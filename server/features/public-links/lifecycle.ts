import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long a link that has ended is kept, in seconds. One that was deleted is answered in the same way. */
const ended_s = 24 * 60 * 60;

/** A later address of the same feed: the newest one shows whether the feed was revoked, and is kept. */
const hasSuccessor = sql`exists (
  select 1 from public_links n where n.kind = 'feed' and n.owner_id = p.owner_id and n.token_hash <> p.token_hash
    and (n.revoked_at is null or n.created_at > p.created_at))`;

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from public_links where token_hash = any(array(
        select token_hash from public_links where owner_id = ${user_id} limit ${portion}::int))`);
    return gone >= portion;
  },
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from public_links where token_hash = any(array(
        select p.token_hash from public_links p
        where least(p.revoked_at, p.expires_at) < ${after(now, -ended_s)} and (p.kind <> 'feed' or ${hasSuccessor})
        limit ${portion}::int))`);
    return gone >= portion;
  },
};
