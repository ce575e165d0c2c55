import { raw, sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long expired rows are kept, so that a late use can be refused with the reason, in seconds. */
const retention_s = 24 * 60 * 60;

export const lifecycle: Lifecycle = {
  async accountDeleted({ db }, user_id) {
    await db.run(sql`delete from challenges where user_id = ${user_id}`);
    await db.run(sql`delete from sent_links where user_id = ${user_id}`);
    await db.run(sql`delete from sessions where user_id = ${user_id}`);
  },
  async expire({ db, now }, portion) {
    const counts: number[] = [];
    // Sessions come last: a session is kept until the last of its tokens has expired.
    for (const [table, key] of [
      ['challenges', 'id'],
      ['sent_links', 'hash'],
      ['session_tokens', 'hash'],
      ['sessions', 'id'],
    ] as const)
      counts.push(
        await db.run(sql`
          delete from ${raw(table)} where ${raw(key)} = any(array(
            select ${raw(key)} from ${raw(table)} where expires_at < ${after(now, -retention_s)} limit ${portion}::int))`),
      );
    return counts.some((count) => count >= portion);
  },
};
