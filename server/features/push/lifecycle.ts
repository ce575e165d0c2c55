import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from push_tokens where hash = any(array(
        select p.hash from push_tokens p join sessions s on s.id = p.session_id
        where s.revoked_at is not null or s.expires_at < ${now} limit ${portion}::int))`);
    return gone >= portion;
  },
};
